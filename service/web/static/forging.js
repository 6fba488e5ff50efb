/** A change of one hidden thing of a log, to show that it is found. */

/** @typedef {import("./verify_bundle.mjs").Audit} Audit */
/** @typedef {typeof import("./verify_bundle.mjs")} Verifier */

/**
 * Change one hidden thing of a log; null if nothing was hidden.
 * @param {Audit} audit @param {Verifier} verifier @returns {{audit: Audit, version: number, where: string, was: string, is: string} | null}
 */
export function forged(audit, { THOUGHT, canonical, place }) {
  const changed = structuredClone(audit);
  const parts = changed.events.flatMap(({ version, data, salts }) =>
    Object.keys(salts).flatMap((where) => (where === THOUGHT ? [] : { version, where, ...place(data, where) })),
  );
  const part = parts[Math.floor(parts.length / 2)];
  if (!part) return null;
  const { holder, key } = part;
  const list = Array.isArray(holder[key]) ? holder[key] : null;
  const was = list ? list[0] : holder[key];
  const others = parts.flatMap((each) => each.holder[each.key]).filter((each) => typeof each === typeof was);
  const is = others.find((each) => canonical(each) !== canonical(was)) ?? null;
  if (list) list[0] = is;
  else holder[key] = is;
  return { audit: changed, version: part.version, where: part.where, was: String(was), is: String(is) };
}
