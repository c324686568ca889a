import { escapeMarkup, plainText } from '../../domain/text/index.ts'
import { nearestPages, requestedSuite } from '../board/nearest-pages.ts'

// Colours of app/globals.css, without what only rendered pages use.
const STYLE = `:root{color-scheme:light dark;--bg:#fbfbfa;--surface:#fff;--ink:#1a1b1e;--muted:#5a5d64;--line:#e1e1dd}
@media(prefers-color-scheme:dark){:root{--bg:#121315;--surface:#18191c;--ink:#e6e7e9;--muted:#a2a6ad;--line:#2b2d32}}
body{margin:0;background:var(--bg);color:var(--ink);font:.9375rem/1.5 Inter,ui-sans-serif,system-ui,sans-serif;overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:3px}
header{border-bottom:1px solid var(--line);background:var(--surface)}
header>div,main{max-width:78rem;margin:0 auto;padding:.75rem 1rem}
header>div{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
header a{text-decoration:none;color:var(--muted)}
header>div>a{font-weight:600;color:var(--ink)}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
h1{font-size:1.375rem;line-height:1.75rem;margin:1rem 0 .5rem}
p{margin:.25rem 0}`

const ROOMS = {
  '/': 'Leaderboard',
  '/compare': 'Compare',
  '/suites': 'Tasks',
  '/reports': 'Reports',
  '/runs': 'Runs',
  '/methodology': 'Methodology',
}

/**
 * Responds to an address that has nothing, and names the nearest that there is. A text of its own: to render a page with the
 * layout takes the processor several times as long, and anyone can ask for addresses without end.
 */
export async function respondMissing(path: string, nonce: string): Promise<Response> {
  const near = await nearestPages(path)
  const suite = requestedSuite(path)
  const title = suite === null ? 'Page not found' : `Suite not found: “${shown(suite)}”`
  const reason =
    suite === null
      ? 'This server has nothing at this address. The link may be incomplete or belong to another server.'
      : 'The link may be outdated, or the suite is not installed on this server.'
  const links = near.map(({ name, path: to }) => `<a href="${escapeMarkup(to)}">${shown(name)}</a>`)
  const rooms = Object.entries(ROOMS).map(([to, name]) => `<a href="${to}">${name}</a>`)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<title>Not found · Proofboard</title>
<style nonce="${escapeMarkup(nonce)}">${STYLE}</style>
</head>
<body>
<header><div><a href="/">Proofboard</a><nav aria-label="Main">${rooms.join('')}</nav></div></header>
<main>
<h1>${title}</h1>
<p>${reason}</p>
${links.length > 0 ? `<p>Did you mean ${links.join(', ')}?</p>\n` : ''}<p>Go to the <a href="/">leaderboard</a>, the <a href="/suites">list of suites</a> or the <a href="/runs">list of runs</a>.</p>
</main>
</body>
</html>
`
  return new Response(html, {
    status: 404,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}

/** Anyone may have written a name: isolated from the text around it, with nothing invisible in it. */
function shown(name: string): string {
  return `<bdi>${escapeMarkup(plainText(name))}</bdi>`
}
