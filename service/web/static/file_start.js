/* The start of a page in one file, and no module: the import map has to be there before the first of these. */

/** Read a block of the page; it ends with a checksum, so what is damaged is refused. @param {string} id */
function block(id) {
  const text = document.getElementById(id)?.textContent ?? "";
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

/** Unpack the style and the modules, whose hashes the policy names, and run the first module. */
async function unpack() {
  const [style, imports] = await Promise.all(["style", "imports"].map((id) => block(id).text()));
  const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("start", { createScript: String });
  const map = Object.assign(document.createElement("script"), { type: "importmap" });
  map.text = policy ? policy.createScript(imports) : imports;
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }), map);
  const first = "plateau/file.js";
  await (
    await import(first)
  ).started;
}

unpack().catch((error) => {
  for (const each of document.querySelectorAll("#app > [hidden]")) each.removeAttribute("hidden");
  document.querySelector("#app > .page")?.remove();
  console.warn(error);
});
