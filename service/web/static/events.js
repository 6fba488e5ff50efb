/**
 * What happens, as it happens: a stream; while streams do not work, requests that wait; and at worst, polling.
 * Nothing is lost or doubled: each request goes on after the last event that came.
 */

import { at, get, Problem, request, retreat } from "./sending.js";

/**
 * @typedef {object} Feed
 * @property {string} path
 * @property {Record<string, string | number | null>} [query]
 * @property {"version" | "id"} cursor The field of an event after which to go on.
 * @property {string | number | null} after
 * @property {(events: any[]) => void} happened Called with what is new, in order.
 * @property {(phrases: any[]) => void} [said] Called with what players say; ask for it by `phrases` in the query.
 * @property {AbortSignal} signal
 */

/** A proxy that holds a stream back sends nothing, not even the heartbeat of every 15 seconds. */
const SILENCE_MS = 25_000;
const WAIT_SECONDS = 25;
const WITHOUT_STREAMS_MS = 300_000;
const LONGEST_STREAM_MS = 3_600_000;
/** Polling is as slow as a third try. */
const POLLS = 3;

/** Follow until the signal ends it; raise a `Problem` that stays. @param {Feed} feed */
export async function follow(feed) {
  const following = { ...feed, after: feed.after, streamsFrom: 0, failures: 0, waits: true, over: false };
  try {
    while (!following.over) {
      if (Date.now() >= following.streamsFrom) await stream(following);
      if (!following.over) await page(following);
    }
  } catch (error) {
    if (!feed.signal.aborted) throw error;
  }
}

/** @typedef {Feed & {streamsFrom: number, failures: number, waits: boolean, over: boolean}} Following */

/** @param {Following} following */
async function stream(following) {
  const { signal } = following;
  const opened = new AbortController();
  const either = AbortSignal.any([signal, opened.signal]);
  following.streamsFrom = Date.now() + WITHOUT_STREAMS_MS;
  try {
    const answer = await soon(request("GET", address(following), { accept: "application/x-ndjson", signal: either, patience: LONGEST_STREAM_MS }), opened);
    for await (const lines of linesOf(answer, opened)) {
      following.streamsFrom = 0;
      following.failures = 0;
      following.waits = true;
      took(following, lines.filter((line) => line).map((line) => JSON.parse(line)));
      if (following.over) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Problem && error.status === 429) {
      following.streamsFrom = Date.now() + error.after * 1000;
      // A request that waits needs the same room.
      following.waits = false;
    }
  } finally {
    opened.abort();
  }
}

/** End a stream from which something does not come for too long. @template Value @param {Promise<Value>} something @param {AbortController} opened */
function soon(something, opened) {
  const late = setTimeout(() => opened.abort(), SILENCE_MS);
  return something.finally(() => clearTimeout(late));
}

/**
 * Read a response line by line, those that came together at once.
 * @param {Response} answer @param {AbortController} opened @returns {AsyncGenerator<string[], void, undefined>}
 */
async function* linesOf(answer, opened) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await soon(reader.read(), opened);
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length) yield lines;
  }
}

/** Read a page. It catches up after a stream, and shows what is wrong if the stream could not. @param {Following} following */
async function page(following) {
  const waits = following.waits && Date.now() < following.streamsFrom;
  try {
    const patience = waits ? (WAIT_SECONDS + 10) * 1000 : 20_000;
    const read = await get(address(following, waits ? WAIT_SECONDS : null), { signal: following.signal, patience });
    following.failures = 0;
    took(following, read.events, read.phrases);
    const polls = !waits && Date.now() < following.streamsFrom;
    if (!waits && !read.events.length) await retreat(polls ? POLLS : 0, 0, following.signal);
  } catch (/** @type {any} */ error) {
    following.signal.throwIfAborted();
    if (!error.passes) throw error;
    // Too many wait already.
    if (waits && error.status) following.waits = false;
    following.streamsFrom = Math.min(following.streamsFrom, Date.now());
    following.failures += 1;
    await retreat(following.failures, error.after, following.signal);
  }
}

/** @param {Following} following @param {any[]} items @param {any[]} [phrases] */
function took(following, items, phrases = items.flatMap((item) => item.phrase ?? [])) {
  const events = items.filter((item) => item[following.cursor] !== undefined);
  const last = events.at(-1);
  if (last) {
    following.after = last[following.cursor];
    following.happened(events);
  }
  if (phrases.length) {
    following.query = { ...following.query, phrases: phrases.at(-1).id };
    following.said?.(phrases);
  }
  // Any other end is explained by the page that follows.
  if (items.some((item) => item.end?.status)) following.over = true;
}

/** @param {Following} following @param {number | null} [wait] */
const address = ({ path, query, after }, wait = null) => at(path, { ...query, after, wait });
