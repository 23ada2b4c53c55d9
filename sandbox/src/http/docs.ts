import type { RouteContext } from '../web/route-context';

/** Policy of a page with inline script and style. It reads its document from this sandbox alone, and no other page may show it. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page that shows the OpenAPI document; it asks nothing from outside. */
export function docsRoutes({ app }: RouteContext): void {
  app.get('/_sandbox/docs', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE),
  );
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>brokerage-sandbox: endpoints</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
  h2 { margin: 2rem 0 .5rem; }
  details { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; margin: .3rem 0; padding: .4rem .7rem; }
  summary { cursor: pointer; }
  summary b { display: inline-block; min-width: 4.5rem; }
  code, pre { font: 13px/1.4 ui-monospace, monospace; }
  pre { overflow-x: auto; padding: .6rem; border-radius: .3rem; background: color-mix(in srgb, currentColor 8%, transparent); }
</style>
<h1>brokerage-sandbox</h1>
<p>The brokerage service, simulated. Prices are whole paise; times are nanoseconds since the epoch; identifiers have up to 19 digits,
more than a double holds. Paths marked 🔑 want <code>Authorization: Bearer SESSION_TOKEN</code> and the <code>x-device-id</code> of the login.
The same as a document: <a href="openapi.json">openapi.json</a>. The exchange at work: <a href="./">its page</a>.</p>
<main aria-live="polite">Loading …</main>
<script type="module">
  const make = (tag, text = '', ...children) => {
    const element = document.createElement(tag);
    element.append(text, ...children);
    return element;
  };
  const main = document.querySelector('main');
  try {
    const { paths } = await (await fetch('openapi.json')).json();
    const groups = new Map();
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const tag = operation.tags?.[0] ?? 'Other';
        if (!groups.has(tag)) groups.set(tag, []);
        groups.get(tag).push({ path, method: method.toUpperCase(), ...operation });
      }
    }
    main.replaceChildren();
    for (const [tag, operations] of groups) {
      main.append(make('h2', tag));
      for (const { path, method, summary, security, parameters, requestBody, responses } of operations) {
        const details = make('details');
        details.append(make('summary', '', make('b', method), make('code', path), ' ' + (summary ?? '') + (security ? ' 🔑' : '')));
        for (const { name, in: where, description } of parameters ?? []) {
          details.append(make('p', '', make('code', name), ' (' + where + ')' + (description ? ': ' + description : '')));
        }
        const body = requestBody?.content?.['application/json']?.schema;
        if (body) details.append(make('p', 'Body'), make('pre', JSON.stringify(body, null, 2)));
        for (const [status, { content }] of Object.entries(responses ?? {})) {
          const schema = content?.['application/json']?.schema;
          if (schema) details.append(make('p', 'Reply ' + status), make('pre', JSON.stringify(schema, null, 2)));
        }
        main.append(details);
      }
    }
  } catch (error) {
    main.textContent = 'The document could not be read: ' + error.message;
  }
</script>
</html>
`;
