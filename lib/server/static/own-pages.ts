import { createHash } from 'node:crypto'
import { escapeMarkup } from '#lib/domain/record/index.ts'

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:46rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.4rem}li{overflow-wrap:anywhere;margin:.35rem 0}
#status{padding:.7rem 1rem;border-left:.4rem solid #888;background:#8882}
[data-state=good] #status{border-color:#1a7f37;background:#1a7f3722}
[data-state=bad] #status{border-color:#cf222e;background:#cf222e22}`

/** A page of the copy itself: no framework, its own style, and at most one script file next to it. */
function page({ title, body, script = null, inline = '' }: Page): string {
  const scripts = [...(script === null ? [] : ["'self'"]), ...(inline ? [hashOf(inline)] : [])]
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${scripts.join(' ') || "'none'"}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!DOCTYPE html>
<html lang="en" data-state="busy">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="robots" content="noindex">
<title>${title} · Proofboard</title>
<style>${STYLE}</style>
</head>
<body>
${body}
${script === null ? '' : `<script src="${script}"></script>`}${inline ? `<script>${inline}</script>` : ''}
</body>
</html>
`
}

type Page = { title: string; body: string; script?: string | null; inline?: string }

/** The page that checks the copy. */
export function checkPage(at: string): string {
  return page({
    title: 'Check this copy',
    script: 'check.js',
    body: `<p><a href="../index.html">Leaderboard</a></p>
<h1>Check this static copy of ${day(at)}</h1>
<p>This page reads every file of the copy and compares it with <a href="../manifest.json">manifest.json</a>, the ledger with itself, and the sealed results with the ledger. It works in your browser and sends nothing.</p>
<p id="status" role="status">Checking…</p>
<ul id="details"></ul>
<noscript><p>The check needs scripts. On the command line: <code>npx proofboard server board check-static &lt;folder&gt;</code></p></noscript>`,
  })
}

/** Where links lead that only the server can answer. */
export function notHerePage(at: string, original: string | null): string {
  return page({
    title: 'Not in this copy',
    body: `<p><a href="../index.html">Leaderboard</a></p>
<h1>Not in this copy</h1>
<p>${sentence(at, original)}</p>`,
  })
}

/** What a host shows for an address without a file; it may be at any depth, so it has no relative links. */
export function missingPage(at: string, original: string | null): string {
  return page({
    title: 'Not in this copy',
    body: `<h1>Not in this copy</h1>\n<p>${sentence(at, original)}</p>`,
  })
}

function sentence(at: string, original: string | null): string {
  const where =
    original === null
      ? ''
      : ` The original is at <a href="${escapeMarkup(original)}">${escapeMarkup(original)}</a>.`
  return `This is a static copy of ${day(at)}: this page needs the server, or was left out of the copy.${where}`
}

function day(at: string): string {
  return `<time datetime="${at}">${at.slice(0, 10)}</time>`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
