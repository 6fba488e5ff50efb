/**
 * What happens, as it happens, for all tabs of a browser: a stream; while streams do not work, requests that wait; and at
 * worst, polling. It runs beside the pages as a shared worker, or else in one page for all.
 *
 * A browser has six connections to a service that speaks HTTP/1.1. So one line has a connection of its own, that of what
 * was looked at last; the others are polled, one after the other. What several tabs follow is one line. Nothing is lost
 * or doubled: each request continues after the last event that came, and each reader gets what is later than its own last.
 */

/** What a reader follows, and after what. @typedef {{id: string, path: string, query: Record<string, any>, cursor: "version" | "id", after: string | number | null, phrases: string | null, token: string | null, language: string}} Wish */
/** What a tab says: whether it is hidden, and all that it follows. @typedef {{tab: string, hidden: boolean, wishes: Wish[]}} Call */
/** What a tab hears, for a reader or for all. @typedef {{id?: string, events?: any[], phrases?: any[], failure?: Failure, over?: boolean, lost?: boolean}} News */
/** A rejection. @typedef {{status: number, body: any, after: number}} Failure */
/** @typedef {{send: (news: News) => void, seen: number, hidden: boolean, since: number}} Tab */
/** @typedef {Wish & {readers: Map<string, {tab: string, after: string | number | null}>, said: any[], streamsFrom: number, failures: number, waits: boolean, stop: AbortController}} Line */

/** A proxy that holds a stream back sends nothing, not even the heartbeat of every 15 seconds. */
const SILENCE_MS = 25_000;
const [WAIT_SECONDS, PATIENCE_MS, WITHOUT_STREAMS_MS] = [25, 20_000, 300_000];
/** Polling instead of a stream is as slow as a third try. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS, POLLS] = [300, 10_000, 3];
/** How often to ask for what has no connection: what is seen, what is hidden, and what was hidden for long, which never has one. */
const [SEEN_MS, HIDDEN_MS, FORGOTTEN_MS, LONG_MS] = [1000, 5000, 30_000, 600_000];
/** A hidden tab can speak once a minute; one that is silent for longer than this has gone without a word. */
const [LOOK_MS, GONE_MS] = [15_000, 180_000];
/** More than the time of any moment: whatever is seen comes before all that is hidden. */
const SEEN = 2 ** 52;
/** So many phrases are kept for tabs that come later. */
const SAID = 50;

const tabs = /** @type {Map<string, Tab>} */ (new Map());
const lines = /** @type {Map<string, Line>} */ (new Map());
/** The line that has the connection. @type {Line | undefined} */
let held;
/** The last of the requests that take turns. @type {Promise<unknown>} */
let turn = Promise.resolve();
let lost = false;

/** Take what a tab says. @param {Call} call @param {(news: News) => void} send to that tab, or to all tabs */
export function hear({ tab, hidden, wishes }, send) {
  const before = tabs.get(tab);
  const since = before?.hidden === hidden ? before.since : Date.now();
  if (wishes.length) tabs.set(tab, { send, seen: Date.now(), hidden, since });
  else tabs.delete(tab);
  for (const line of lines.values()) {
    for (const [id, reader] of line.readers)
      if (reader.tab === tab && !wishes.some((wish) => wish.id === id)) line.readers.delete(id);
    if (!line.readers.size) end(line);
  }
  for (const wish of wishes) join(tab, wish);
  choose();
}

/** What several readers share. @param {Line} line */
const keyOf = ({ path, query, phrases, token, language }) =>
  JSON.stringify([path, query, phrases !== null, token, language]);

/** @param {string} tab @param {Wish} wish */
function join(tab, { id, ...wish }) {
  const made = {
    id,
    ...wish,
    readers: new Map(),
    said: [],
    streamsFrom: 0,
    failures: 0,
    waits: true,
    stop: new AbortController(),
  };
  const line = lines.get(keyOf(made)) ?? made;
  if (line.readers.has(id)) return;
  line.readers.set(id, { tab, after: wish.after });
  if (line.said.length) tabs.get(tab)?.send({ id, phrases: line.said });
  if (line === made) {
    lines.set(keyOf(line), line);
    void follow(line);
  } else if (isLater(line.after, wish.after)) {
    line.after = wish.after;
    again(line);
  }
}

/** Compare two cursors: versions, or ids of two numbers; none is before all others. @param {string | number | null} one @param {string | number | null} other */
function isLater(one, other) {
  const [[a = 0, b = 0] = [], [c = 0, d = 0] = []] = [one, other].map((each) =>
    String(each ?? 0)
      .split("-")
      .map(Number),
  );
  return a > c || (a === c && b > d);
}

/** @param {Line} line @param {News} [why] */
function end(line, why) {
  if (why) tell(line, why);
  lines.delete(keyOf(line));
  line.readers.clear();
  line.stop.abort();
}

/** How much a line needs the connection: by when it was looked at last, and not at all after long. @param {Line} line */
const rank = ({ readers }) =>
  Math.max(
    0,
    ...[...readers.values()]
      .flatMap(({ tab }) => tabs.get(tab) ?? [])
      .map(({ hidden, since }) => (hidden ? (Date.now() - since > LONG_MS ? 0 : since) : SEEN + since)),
  );

/** Give the connection to the line that needs it most. */
function choose() {
  const [first] = [...lines.values()].filter(rank).sort((one, other) => rank(other) - rank(one));
  if (first === held) return;
  const before = held;
  held = first;
  if (before) again(before);
  if (first) again(first);
}

/** Let a line begin its next request now. @param {Line} line */
function again(line) {
  line.stop.abort();
  line.stop = new AbortController();
}

setInterval(() => {
  for (const [tab, { seen, send }] of tabs)
    if (Date.now() - seen > GONE_MS) hear({ tab, hidden: true, wishes: [] }, send);
  choose();
}, LOOK_MS);

addEventListener("online", () => lines.forEach(again));

/** Follow as long as a tab reads. @param {Line} line */
async function follow(line) {
  // The others that the tab has named come first.
  await 0;
  while (line.readers.size) {
    const { signal } = line.stop;
    try {
      if (line === held && Date.now() >= line.streamsFrom) await stream(line, signal);
      signal.throwIfAborted();
      if (line.readers.size) await page(line, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** @param {Line} line @param {AbortSignal} signal */
async function stream(line, signal) {
  const opened = new AbortController();
  const before = line.streamsFrom;
  line.streamsFrom = Date.now() + WITHOUT_STREAMS_MS;
  let late = setTimeout(() => opened.abort(), SILENCE_MS);
  try {
    const answer = await ask(line, null, "application/x-ndjson", AbortSignal.any([signal, opened.signal]));
    const reader = /** @type {ReadableStream<any>} */ (answer.body).pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = "", read; !(read = await reader.read()).done && !signal.aborted; ) {
      clearTimeout(late);
      late = setTimeout(() => opened.abort(), SILENCE_MS);
      const texts = (rest + read.value).split("\n");
      rest = texts.pop() ?? "";
      Object.assign(line, { streamsFrom: 0, failures: 0, waits: true });
      took(
        line,
        texts.filter((text) => text).map((text) => JSON.parse(text)),
      );
    }
  } catch (/** @type {any} */ error) {
    if (signal.aborted) line.streamsFrom = Math.min(before, line.streamsFrom);
    // A request that waits needs the same room.
    else if (error.status === 429) Object.assign(line, { streamsFrom: Date.now() + error.after * 1000, waits: false });
  } finally {
    clearTimeout(late);
    opened.abort();
  }
}

/** Read a page. It catches up after a stream, and shows what is wrong if the stream could not. @param {Line} line @param {AbortSignal} signal */
async function page(line, signal) {
  const waits = line === held && line.waits && Date.now() < line.streamsFrom;
  const read = async () => {
    signal.throwIfAborted();
    const late = AbortSignal.timeout(PATIENCE_MS + (waits ? WAIT_SECONDS * 1000 : 0));
    return (await ask(line, waits ? WAIT_SECONDS : null, "application/json", AbortSignal.any([signal, late]))).json();
  };
  try {
    const answer = await (waits ? read() : (turn = turn.then(read, read)));
    signal.throwIfAborted();
    line.failures = 0;
    took(line, answer.events, answer.phrases);
    if (waits || answer.events.length) return;
    if (line === held) await retreat(Date.now() < line.streamsFrom ? POLLS : 0, 0, signal);
    else await pause(rank(line) > SEEN ? SEEN_MS : rank(line) ? HIDDEN_MS : FORGOTTEN_MS, signal);
  } catch (/** @type {any} */ error) {
    signal.throwIfAborted();
    const { status = 0, after = 0 } = error;
    if (status && status !== 429 && status < 500) return end(line, { failure: error });
    // Too many wait already.
    if (waits && status) line.waits = false;
    line.streamsFrom = Math.min(line.streamsFrom, Date.now());
    line.failures += 1;
    await retreat(line.failures, after, signal);
  }
}

/** Wait before another try, each time longer; not all that a service has lost come back at one moment. @param {number} tries @param {number} least seconds @param {AbortSignal} signal */
const retreat = (tries, least, signal) =>
  pause(
    Math.max(least * 1000, Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2)),
    signal,
  );

/** Wait, in a line one pause at a time. @param {number} ms @param {AbortSignal} signal */
const pause = (ms, signal) => new Promise((over) => (setTimeout(over, ms), (signal.onabort = over)));

/** @param {Line} line @param {News} news */
function tell(line, news) {
  for (const [id, { tab }] of line.readers) tabs.get(tab)?.send({ ...news, id });
}

/** @param {Line} line @param {any[]} items @param {any[]} [phrases] */
function took(line, items, phrases = items.flatMap((item) => item.phrase ?? [])) {
  const all = items.filter((item) => item[line.cursor] !== undefined);
  for (const [id, reader] of line.readers) {
    const events = all.filter((each) => isLater(each[line.cursor], reader.after));
    if (events.length) tabs.get(reader.tab)?.send({ id, events });
    reader.after = events.at(-1)?.[line.cursor] ?? reader.after;
  }
  line.after = all.at(-1)?.[line.cursor] ?? line.after;
  if (phrases.length) {
    Object.assign(line, { phrases: phrases.at(-1).id, said: [...line.said, ...phrases].slice(-SAID) });
    tell(line, { phrases });
  }
  // Any other end is explained by the page that follows.
  if (items.some((item) => item.end?.status)) end(line, { over: true });
}

/** Ask for what is new; raise a `Failure`. @param {Line} line @param {number | null} wait @param {string} accept @param {AbortSignal} signal */
async function ask({ path, query, after, phrases, token, language }, wait, accept, signal) {
  const given = Object.entries({ ...query, after, phrases, wait }).flatMap(([name, value]) =>
    (value ?? "") === "" ? [] : [[name, `${value}`]],
  );
  const headers = { Accept: accept, "Accept-Language": language, ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${path}?${new URLSearchParams(given)}`, { headers, signal, credentials: "omit" }).catch(
    (error) => {
      if (!signal.aborted) reached(false);
      throw error;
    },
  );
  reached(true);
  if (answer.ok) return answer;
  // It can be a date.
  const seconds = Number(answer.headers.get("Retry-After") ?? 1);
  throw { status: answer.status, body: await answer.json().catch(() => ({})), after: seconds >= 0 ? seconds : 1 };
}

/** Say it when the service cannot be reached, and when it can again. @param {boolean} isThere */
function reached(isThere) {
  if (lost !== isThere) return;
  lost = !isThere;
  for (const tab of tabs.values()) tab.send({ lost });
}

/** Read in a page, for all tabs: the tab that has the lock reads, and the next one takes over when it closes. Without locks, each reads for itself. @param {(news: News) => void} heard @param {() => void} repeat @returns {(call: Call) => void} */
export function inPage(heard, repeat) {
  if (!navigator.locks) return (call) => hear(call, heard);
  const channel = new BroadcastChannel("plateau");
  let reads = false;
  channel.onmessage = ({ data }) =>
    data.wishes ? reads && hear(data, (news) => channel.postMessage(news)) : data.begin ? repeat() : heard(data);
  void navigator.locks.request("plateau", () => {
    reads = true;
    channel.postMessage({ begin: true });
    repeat();
    // Until the tab closes.
    return new Promise(() => {});
  });
  return (call) => (reads ? hear(call, heard) : channel.postMessage(call));
}

/** As a shared worker, it has a port for each tab. */
/** @type {any} */ (self).onconnect = (/** @type {MessageEvent} */ { ports: [port] }) => {
  if (port) port.onmessage = ({ data }) => hear(data, (news) => port.postMessage(news));
};
