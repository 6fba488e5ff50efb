// What can go wrong: every error of this package is a PlateauError.

/** @import {Problem} from "./index.js" */

/** The service did not carry out the request. */
export class PlateauError extends Error {
  /** @type {string} */
  name = "PlateauError";

  /**
   * @param {Problem} problem
   * @param {number} after
   * @param {ErrorOptions} [options]
   */
  constructor(problem, after = 0, options) {
    super(`${problem.detail} (${problem.code})`, options);
    /**
     * The whole problem, as the service described it.
     * @type {Problem}
     */
    this.problem = problem;
    /** The HTTP status, 0 if there was no response. */
    this.status = problem.status;
    /** What is wrong, as a word for programs: "not-your-turn", "seat-taken". */
    this.code = problem.code;
    /** What is wrong, and what to do about it, as a sentence. */
    this.detail = problem.detail;
    /** Where the first fault is in the body of the request, as a JSON pointer; null if the fault is elsewhere. */
    this.pointer = problem.errors?.[0]?.pointer ?? null;
    /** After how many seconds it makes sense to ask again, 0 if the service named none. */
    this.after = after;
  }
}

// The names below have types of their own: otherwise a compiler could not tell the classes apart after `instanceof`.

/** The service rejected the request, and nothing has changed. */
export class Refused extends PlateauError {
  /** @type {"Refused" | "WrongMoment" | "WentBack" | "RateLimited"} */
  name = "Refused";
}

/** The request came too early or too late: it is not your turn, the seat is taken, the game has moved on. */
export class WrongMoment extends Refused {
  /** @type {"WrongMoment"} */
  name = "WrongMoment";
}

/**
 * The service does not have a version that it has shown to you: its log has lost the end. `problem` has the
 * current `game_version` and `head`. Keep your receipts, which prove the lost events.
 */
export class WentBack extends Refused {
  /** @type {"WentBack"} */
  name = "WentBack";
}

/** A limit is reached. */
export class RateLimited extends Refused {
  /** @type {"RateLimited"} */
  name = "RateLimited";
}

/** The service failed or did not respond, so a write that cannot be repeated may or may not have taken effect. */
export class Unavailable extends PlateauError {
  /** @type {"Unavailable"} */
  name = "Unavailable";
}

/** The service requests a seed, but its log does not prove that all seeds are fixed; yours was not sent. */
export class NotFixed extends PlateauError {
  /** @type {"NotFixed"} */
  name = "NotFixed";

  /** @param {string} why */
  constructor(why) {
    const detail = `The service asks for your seed, but ${why}. The seed was not sent.`;
    super(madeUp("Seeds are not fixed", 0, "seeds-not-fixed", detail));
  }
}

/**
 * Return the error for a response that is no success.
 * @param {Response} response
 * @param {string} text its body
 * @returns {PlateauError}
 */
export function errorOf(response, text) {
  const after = Number(response.headers.get("Retry-After") ?? 0);
  const isProblem = response.headers.get("Content-Type")?.startsWith("application/problem+json");
  /** @type {Problem} */
  const problem = isProblem ? JSON.parse(text) : notOfTheService(response);
  return new (kindOf(problem))(problem, Number.isFinite(after) ? after : 0);
}

/**
 * Return the error for a request that got no response.
 * @param {string} url
 * @param {unknown} cause
 * @returns {PlateauError}
 */
export function noResponse(url, cause) {
  return new Unavailable(madeUp("No response", 0, "no-response", `${url} did not respond: ${cause}`), 0, { cause });
}

/** @param {Problem} problem */
function kindOf({ status, code }) {
  if (code === "game-went-back") return WentBack;
  if (status === 429) return RateLimited;
  if (status === 409 || status === 412) return WrongMoment;
  return status >= 400 && status < 500 ? Refused : Unavailable;
}

/** @param {Response} response from something between here and the service */
function notOfTheService({ status, statusText, url }) {
  return madeUp(statusText, status, `http-${status}`, `${url} responded with ${status} ${statusText}`);
}

/**
 * @param {string} title
 * @param {number} status
 * @param {string} code
 * @param {string} detail
 * @returns {Problem}
 */
function madeUp(title, status, code, detail) {
  return { type: "about:blank", title, status, detail, instance: "", code };
}
