// A service that responds what a test has written down, in order, and keeps the requests that it got.

/** Return a JSON response, a problem where the status says so. */
export function json(body, { status = 200, headers = {} } = {}) {
  const type = status >= 400 ? "application/problem+json" : "application/json";
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": type, ...headers } });
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
