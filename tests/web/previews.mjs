// What a refinement previews, for each line of standard input; prints a list of lists, as JSON.

import {createInterface} from "node:readline";

const {preview} = await import(`../../service/web/static/refine/${process.argv[2]}.js`);
const found = [];
for await (const line of createInterface({input: process.stdin})) {
  const {picks, table} = JSON.parse(line);
  found.push(preview(picks, table));
}
process.stdout.write(JSON.stringify(found));
