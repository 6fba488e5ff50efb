/**
 * Return the error for a response that is no success.
 * @param {Response} response
 * @param {string} text its body
 */
export function errorOf(response: Response, text: string): WrongMoment;
/**
 * Return the error for a request that got no response.
 * @param {string} url
 * @param {unknown} cause
 */
export function noResponse(url: string, cause: unknown): Unavailable;
/** @import {Problem} from "./index.js" */
/** The service did not do what was asked of it. */
export class PlateauError extends Error {
    /**
     * @param {Problem} problem
     * @param {number} after
     * @param {ErrorOptions} [options]
     */
    constructor(problem: Problem, after?: number, options?: ErrorOptions);
    /** The whole problem, as the service described it. */
    problem: {
        type: string;
        title: string;
        status: number;
        detail: string;
        instance: string;
        code: string;
        errors?: import("../types/schema.js").components["schemas"]["ProblemFault"][];
        game_version?: number;
        rule?: string;
        legal_actions?: string;
        events?: string;
        bucket?: string;
        candidates?: import("../types/schema.js").components["schemas"]["Candidate"][];
    };
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
}
/** The request came too early or too late: it is not your turn, the seat is taken, the game has moved on. */
export class WrongMoment extends Refused {
}
/** A limit is reached. */
export class RateLimited extends Refused {
}
/** The service failed or did not respond, so a write that cannot be repeated may or may not have taken effect. */
export class Unavailable extends PlateauError {
}
import type { Problem } from "./index.js";
