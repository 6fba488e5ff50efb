/**
 * Legal actions as the picker narrows them. Every action is a leaf: a row of slots, one for each of its fields, in the
 * order of the fields. A field that lists scalars is a bag: things go into it in any order. Leaves are made from a list
 * of actions, or from a schema where the list would be too long.
 *
 * @typedef {string | number | boolean | null} Scalar
 * @typedef {{type: string, [field: string]: unknown}} Action
 * @typedef {{min: number, max: number, repeats: boolean}} Bag
 * @typedef {{path: string, kind: string | undefined, values: Scalar[], bag?: Bag}} Slot
 * @typedef {{slots: Slot[], action?: Action, says?: string | undefined, empty: string[]}} Leaf  an action, in words too
 *   where they are known; or a form that many actions have
 * @typedef {Map<string, Scalar[]>} Filled  what is in the slots, by their paths
 * @typedef {{[key: string]: any}} Schema
 * @typedef {Record<string, string>} Kinds  the kind of pick of each field: "give.gifts.seat" → "seat"
 */

/** Read from the schemas of a ruleset's actions, by their types, which fields stand for things. @param {Record<string, Schema>} actions @returns {Kinds} */
export function kindsIn(actions) {
  /** @type {Kinds} */
  const kinds = {};
  for (const [type, whole] of Object.entries(actions)) {
    /** @param {Schema} given @param {string} path */
    const look = (given, path) => {
      const part = given.$ref ? (whole.$defs?.[given.$ref.replace("#/$defs/", "")] ?? {}) : given;
      if (part["x-pick"]) kinds[path] = part["x-pick"];
      for (const [name, inner] of Object.entries(part.properties ?? {})) look(inner, `${path}.${name}`);
      for (const inner of [part.items, ...(part.prefixItems ?? []), ...(part.oneOf ?? []), ...(part.anyOf ?? [])]) {
        if (typeof inner === "object") look(inner, path);
      }
    };
    look(whole, type);
  }
  return kinds;
}

/** List what the picker narrows; `says` are the actions in words. @param {Action[]} actions @param {Kinds} kinds @param {string[]} [says] @returns {Leaf[]} */
export function leavesOf(actions, kinds, says = []) {
  /** @type {Map<string, Set<string>>} */
  const fields = new Map();
  for (const action of actions) {
    const known = fields.get(action.type) ?? new Set();
    for (const name of Object.keys(action)) known.add(name);
    fields.set(action.type, known);
  }
  return actions.map((action, place) => {
    const slots = [...(fields.get(action.type) ?? [])].flatMap((name) =>
      slotsOf(action[name], name, action.type, kinds),
    );
    return { slots, action, says: says[place], empty: [] };
  });
}

/** @param {unknown} value @param {string} path @param {string} type @param {Kinds} kinds @returns {Slot[]} */
function slotsOf(value, path, type, kinds) {
  const kind = kinds[named(type, path)];
  if (!Array.isArray(value)) {
    if (typeof value === "object" && value !== null) {
      return Object.entries(value).flatMap(([name, inner]) => slotsOf(inner, `${path}.${name}`, type, kinds));
    }
    return [{ path, kind, values: [/** @type {Scalar} */ (value ?? null)] }];
  }
  if (value.some((item) => typeof item === "object" && item !== null)) {
    return value.flatMap((item, place) => slotsOf(item, `${path}.${place}`, type, kinds));
  }
  return [{ path, kind, values: value, bag: { min: value.length, max: value.length, repeats: false } }];
}

/** @param {string} type @param {string} path */
function named(type, path) {
  return `${type}.${path}`.replace(/\.\d+(?=\.|$)/g, "");
}

/**
 * List what the picker narrows, from a schema of legal actions that is necessary but not sufficient: one leaf for each
 * type of action, and for each length that its lists of objects can have.
 * @param {Schema} schema @param {Kinds} kinds @returns {Leaf[]}
 */
export function leavesOfSchema(schema, kinds) {
  return (schema.oneOf ?? [schema]).flatMap((/** @type {Schema} */ each) => {
    const type = String(valuesOf(each.properties.type)[0]);
    const { decision_id: _, ...properties } = each.properties;
    return combined(Object.entries(properties).map(([name, part]) => forms(part, name, type, kinds)));
  });
}

/** The forms that a field can have. @param {Schema} part @param {string} path @param {string} type @param {Kinds} kinds @returns {Leaf[]} */
function forms(part, path, type, kinds) {
  const kind = kinds[named(type, path)];
  if (part.type === "object") {
    return combined(
      Object.entries(part.properties).map(([name, inner]) => forms(inner, `${path}.${name}`, type, kinds)),
    );
  }
  if (part.type !== "array") return [{ slots: [{ path, kind, values: valuesOf(part) }], empty: [] }];
  if (part.items?.type === "object") {
    const lengths = Array.from({ length: part.maxItems - part.minItems + 1 }, (_, more) => part.minItems + more);
    return lengths.flatMap((length) =>
      length === 0
        ? [{ slots: [], empty: [path] }]
        : combined(Array.from({ length }, (_, place) => forms(part.items, `${path}.${place}`, type, kinds))),
    );
  }
  const values = part.items ? valuesOf(part.items) : [];
  const bag = { min: part.minItems, max: part.maxItems, repeats: !part.uniqueItems };
  return [{ slots: [{ path, kind, values, bag }], empty: [] }];
}

/** @param {Schema} part @returns {Scalar[]} */
function valuesOf(part) {
  return part.enum ?? [part.const];
}

/** Every way to take one form of each field. @param {Leaf[][]} fields @returns {Leaf[]} */
function combined(fields) {
  /** @type {Leaf[]} */
  const none = [{ slots: [], empty: [] }];
  return fields.reduce(
    (made, field) =>
      made.flatMap((one) =>
        field.map((other) => ({ slots: [...one.slots, ...other.slots], empty: [...one.empty, ...other.empty] })),
      ),
    none,
  );
}

/** @param {Filled} filled @param {string} path @param {...Scalar} values @returns {Filled} */
export function filling(filled, path, ...values) {
  return new Map(filled).set(path, [...(filled.get(path) ?? []), ...values]);
}

/** @param {Slot} slot @param {Filled} filled */
export function isOpen(slot, filled) {
  const held = filled.get(slot.path);
  return held === undefined ? slot.bag?.max !== 0 : held.length < (slot.bag?.max ?? 1);
}

/** @param {Slot} slot @param {Filled} filled */
export function isFull(slot, filled) {
  return (filled.get(slot.path) ?? []).length >= (slot.bag?.min ?? 1);
}

/** The values that can still go into a slot. @param {Slot} slot @param {Filled} filled @returns {Scalar[]} */
export function candidates(slot, filled) {
  const held = filled.get(slot.path);
  if (!held || slot.bag?.repeats) return slot.values;
  const left = [...slot.values];
  for (const value of held) {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** @param {Slot} slot @param {Scalar} value */
export function pickOf(slot, value) {
  return `${slot.kind}:${value}`;
}

/** The action that full slots make. @param {Leaf} leaf @param {Filled} filled @returns {Action} */
export function finishedAction(leaf, filled) {
  if (leaf.action) return leaf.action;
  /** @type {Action} */
  const action = { type: "" };
  for (const path of leaf.empty) put(action, path, []);
  for (const slot of leaf.slots) {
    const held = filled.get(slot.path) ?? [];
    if (slot.bag || held[0] !== null) put(action, slot.path, slot.bag ? held : held[0]);
  }
  return action;
}

/** Put a value at a path ("gifts.0.card"). @param {Record<string, any>} target @param {string} path @param {unknown} value */
function put(target, path, value) {
  const parts = path.split(".");
  const last = /** @type {string} */ (parts.pop());
  parts.forEach((part, place) => {
    target[part] ??= /^\d+$/.test(parts[place + 1] ?? last) ? [] : {};
    target = target[part];
  });
  target[last] = value;
}
