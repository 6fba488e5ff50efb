"""What axe-core finds on a page that stands still."""

RUN = """async () => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const options = { runOnly: tags, resultTypes: ["violations", "incomplete"], elementRef: true };
  let found = null;
  let moved = true;
  const watching = new MutationObserver(() => { moved = true; });
  watching.observe(document.body, { subtree: true, childList: true });
  for (let runs = 0; moved && runs < 20; runs += 1) {
    moved = false;
    found = await axe.run(options);
  }
  watching.disconnect();
  if (moved) throw new Error("the page never stood still");
  const isPicture = (id, { element }) => id === "label-content-name-mismatch"
    && (element.matches(".card, .piece") || !/[\\p{L}\\p{N}]/u.test(element.textContent));
  const nodes = (rule) => rule.nodes.filter((node) => !isPicture(rule.id, node)).map((node) => node.html.slice(0, 160));
  const faults = (rules) => rules.map((rule) => [rule.id, nodes(rule)]).filter(([, nodes]) => nodes.length > 0);
  return { violations: faults(found.violations), open: faults(found.incomplete) };
}"""
"""The letters on a card or a piece are a part of its picture, so its name need not repeat them; nor signs such as ▶.

axe looks at a page piece by piece and finds its elements again by their places among their siblings. When a part of the
page arrives, they are at other places, so only a run during which the page stood still counts.
"""
