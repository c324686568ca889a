import type { AppResponse } from '../app.ts'
import { html, type Markup } from './html.ts'

const IMPORT_MAP = JSON.stringify({
  imports: {
    preact: '/client/vendor/preact.js',
    'preact/hooks': '/client/vendor/hooks.js',
    htm: '/client/vendor/htm.js',
    'htm/preact': '/client/vendor/htm-preact.js',
  },
})

type DocumentParts = {
  title: string
  body: Markup
  /** Style sheets and modules by their file name in the app's `client/` folder. */
  styles?: readonly string[]
  modules?: readonly string[]
  bodyClass?: string
}

/** A whole page. Modules may import preact, preact/hooks, htm and htm/preact by these names. */
export function documentPage(
  parts: DocumentParts,
  options: { status?: number; headers?: Record<string, string> } = {},
): AppResponse {
  const { title, body, styles = [], modules = [], bodyClass = '' } = parts
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${styles.map((file) => html`<link rel="stylesheet" href="/client/${file}">\n`)}
${modules.length > 0 && html`<script type="importmap">${{ markup: IMPORT_MAP }}</script>`}
${modules.map((file) => html`<script type="module" src="/client/${file}"></script>\n`)}
</head>
<body class="${bodyClass}">
${body}
</body>
</html>
`
  return htmlPage(page, options)
}

/** Markup as an answer, for pages that write their own head and for frames. */
export function htmlPage(
  page: Markup,
  { status = 200, headers }: { status?: number; headers?: Record<string, string> } = {},
): AppResponse {
  const type = 'text/html; charset=utf-8'
  return { status, type, body: page.markup, ...(headers && { headers }) }
}
