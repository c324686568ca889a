/** What Next writes instead of a page that failed: its scripts draw what is shown. */
export const FAILED = '<html id="__next_error__"'

/** As app/error.tsx says it, for a reader without scripts: the page is empty but for them. */
const SENTENCE =
  '<noscript><h1>This page could not be loaded</h1><p>An error occurred while reading the data. No data was changed. Reload the page; if the error persists, check the server log.</p><p><a href="/">Leaderboard</a></p></noscript>'

/** The same page, which says without scripts that it failed. */
export function sayFailed(html: string): string {
  return html.includes(FAILED) ? html.replace(/<body\b[^>]*>/, (body) => body + SENTENCE) : html
}
