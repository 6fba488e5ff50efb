/** Elements, with types for their properties, and drawings of the server. */

import { h } from "./vendor/preact.mjs";

/** @typedef {import("./vendor/preact.mjs").ComponentChildren} Children */
/** @typedef {import("./vendor/preact.mjs").JSX.IntrinsicElements} Elements */

/**
 * Make an element of HTML. Preact's own `h` takes any properties; this one takes those that the element has.
 * @template {keyof Elements} Tag
 * @param {Tag} tag
 * @param {(Elements[Tag] & {[data: `data-${string}`]: string | number | undefined}) | null} props
 * @param {...Children} children
 */
export const el = (tag, props, ...children) => h(/** @type {any} */ (tag), /** @type {any} */ (props), ...children);

/**
 * Make an element of a component.
 * @template {{}} Props
 * @param {(props: Props) => Children} component
 * @param {Props & {key?: string | number}} props
 */
export const part = (component, props) => h(/** @type {any} */ (component), props);

const ACTIVE = "script, foreignObject, a, style, use, image, iframe, animate, set";

/** @param {string} text */
const unchanged = (text) => text;

/** The only way for markup into the page. It parses into a document of its own, in which nothing runs. */
const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("plateau", { createHTML: unchanged });

/**
 * Parse a drawing of the server, without anything that could run or load.
 * @param {string} text
 * @returns {SVGElement}
 */
export function drawing(text) {
  const markup = policy ? policy.createHTML(text) : text;
  const svg = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  if (svg.localName !== "svg") throw new Error("the drawing is not well formed");
  for (const each of [...svg.querySelectorAll(ACTIVE)]) each.remove();
  for (const each of [svg, ...svg.querySelectorAll("*")]) {
    for (const { name } of [...each.attributes]) if (/^on|href$|^style$/i.test(name)) each.removeAttribute(name);
  }
  return /** @type {any} */ (document.importNode(svg, true));
}
