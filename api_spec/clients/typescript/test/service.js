// A service that responds what a test has written down, in order, and keeps the requests that it got.

/** Return a JSON response, a problem where the status says so. */
export function json(body, { status = 200, headers = {} } = {}) {
  const type = status >= 400 ? "application/problem+json" : "application/json";
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": type, ...headers } });
}

/** Return a stream of these items, which then ends. */
export function stream(...items) {
  const lines = items.map((item) => `${JSON.stringify(item)}\n`);
  return new Response(lines.join(""), { headers: { "Content-Type": "application/x-ndjson" } });
}

/** Return a stream that brings nothing, until it is aborted. */
export function silent({ signal }) {
  const start = (controller) => signal.addEventListener("abort", () => controller.error(signal.reason));
  return new Response(new ReadableStream({ start }), { headers: { "Content-Type": "application/x-ndjson" } });
}

/** What fetch throws when a connection breaks. */
export const lost = () => new TypeError("fetch failed");

/** Return a `fetch` with these responses; an Error is thrown, and a function gets the init of the request. */
export function service(...responses) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url, ...init });
    const response = responses.shift();
    if (!response) throw new Error(`one request too many: ${init.method} ${url}`);
    if (response instanceof Error) throw response;
    return typeof response === "function" ? response(init) : response;
  };
  return { fetch, requests, left: responses };
}

/** Collect whatever an async iterator yields. */
export async function all(iterator) {
  const items = [];
  for await (const item of iterator) items.push(item);
  return items;
}

/** Return what a service responds when it rejects a request. */
export function refused(status, code, headers = {}) {
  const problem = { type: `/v1/problems/${code}`, title: code, status, detail: `It is ${code}.`, instance: "", code };
  return json(problem, { status, headers });
}
