/** A stock Firefox plays, looks back, and opens a game in one file; what it found goes to the standard output. */

import { readFileSync } from "node:fs";

import puppeteer from "puppeteer-core";

const { firefox, service, session, game, file, most } = JSON.parse(process.argv[2]);
const TAPPING = readFileSync(new URL("../tapping.js", import.meta.url), "utf8");

const complaints = [];
const browser = await puppeteer.launch({
  browser: "firefox", executablePath: firefox, headless: true, defaultViewport: { width: 360, height: 740 },
});
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (said) => said.type() === "error" && complaints.push(said.text()));
  await page.evaluateOnNewDocument(() => addEventListener("securitypolicyviolation", (event) =>
    console.error(`the policy forbids ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`)));

  await page.goto(service);
  await page.evaluate((kept) => {
    localStorage.setItem("plateau.session", kept);
    localStorage.setItem("plateau.settings", '{"pace": 0}');
  }, JSON.stringify(session));
  await page.goto(`${service}/#/game/${game}`);
  await page.reload();
  await page.waitForSelector(".game");
  const played = await page.evaluate(`(${TAPPING})(${JSON.stringify({ seed: 1, most, until: "" })})`);

  await page.goto(`${service}/#/game/${game}?at=4`);
  await page.waitForSelector('.past[data-version="4"]');
  await page.click(".steps button:nth-of-type(5)");
  await page.waitForSelector('.past[data-version]:not([data-version="4"])');
  const past = await page.$eval(".past h1", (title) => title.textContent);

  await page.goto(file);
  await page.waitForFunction(() => document.querySelectorAll(".proof .ticks li").length === 3);
  const doubts = await page.$$eval(".proof :is(.ticks .open, .trouble)", (found) => found.map((each) => each.textContent));
  console.log(JSON.stringify({ version: await browser.version(), played, past, doubts, complaints }));
} finally {
  await browser.close();
}
