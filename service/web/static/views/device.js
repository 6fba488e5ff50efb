/** What concerns this device: the curtain between the people who share it. */

import { el, read, t, write } from "../page.js";
import { useEffect, useRef, useState } from "../vendor/hooks.mjs";
import { hereCalled } from "./board.js";
import { field } from "./parts.js";

/**
 * Hide the table until the next of those who share this device has it in their hands.
 * @param {{seat: number, lift: () => void}} props
 */
export function Curtain({ seat, lift }) {
  const [name, call] = useState(hereCalled(seat));
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => place.current?.focus(), []); // not its button, which a key pressed twice would press
  /** @param {string} text */
  const rename = (text) => {
    call(text);
    write("names", { ...read("names", {}), [seat]: text.trim() });
  };
  return el("section", { class: "curtain", ref: place, tabIndex: -1, "aria-labelledby": "curtain" },
    el("h1", { id: "curtain" }, t("curtain.pass", { name: name.trim() || hereCalled(seat) })),
    el("p", null, t("curtain.why")),
    el("button", { type: "button", class: "primary", onClick: lift }, t("curtain.lift", { name: name.trim() || hereCalled(seat) })),
    field(t("curtain.name"), { value: name, maxLength: 40, autoComplete: "off", onInput: (event) => rename(event.currentTarget.value) }),
  );
}
