/**
 * Return the error for a response that is no success.
 * @param {Response} response
 * @param {string} text its body
 * @returns {PlateauError}
 */
export function errorOf(response: Response, text: string): PlateauError;
/**
 * Return the error for a request that got no response.
 * @param {string} url
 * @param {unknown} cause
 * @returns {PlateauError}
 */
export function noResponse(url: string, cause: unknown): PlateauError;
/** @import {Problem} from "./index.js" */
/** The service did not carry out the request. */
export class PlateauError extends Error {
    /**
     * @param {Problem} problem
     * @param {number} after
     * @param {ErrorOptions} [options]
     */
    constructor(problem: Problem, after?: number, options?: ErrorOptions);
    /**
     * The whole problem, as the service described it.
     * @type {Problem}
     */
    problem: Problem;
    /** The HTTP status, 0 if there was no response. */
    status: number;
    /** What is wrong, as a word for programs: "not-your-turn", "seat-taken". */
    code: string;
    /** What is wrong, and what to do about it, as a sentence. */
    detail: string;
    /** Where the first fault is in the body of the request, as a JSON pointer; null if the fault is elsewhere. */
    pointer: string | null;
    /** After how many seconds it makes sense to ask again, 0 if the service named none. */
    after: number;
}
/** The service rejected the request, and nothing has changed. */
export class Refused extends PlateauError {
    /** @type {"Refused" | "WrongMoment" | "WentBack" | "RateLimited"} */
    name: "Refused" | "WrongMoment" | "WentBack" | "RateLimited";
}
/** The request came too early or too late: it is not your turn, the seat is taken, the game has moved on. */
export class WrongMoment extends Refused {
    /** @type {"WrongMoment"} */
    name: "WrongMoment";
}
/**
 * The service does not have a version that it has shown to you: its log has lost the end. `problem` has the
 * current `game_version` and `head`. Keep your receipts, which prove the lost events.
 */
export class WentBack extends Refused {
    /** @type {"WentBack"} */
    name: "WentBack";
}
/** A limit is reached. */
export class RateLimited extends Refused {
    /** @type {"RateLimited"} */
    name: "RateLimited";
}
/** The service failed or did not respond, so a write that cannot be repeated may or may not have taken effect. */
export class Unavailable extends PlateauError {
    /** @type {"Unavailable"} */
    name: "Unavailable";
}
/** The service requests a seed, but its log does not prove that all seeds are fixed; yours was not sent. */
export class NotFixed extends PlateauError {
    /** @param {string} why */
    constructor(why: string);
    /** @type {"NotFixed"} */
    name: "NotFixed";
}
import type { Problem } from "./index.js";
