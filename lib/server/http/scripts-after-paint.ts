const FILE_SCRIPT = /<script src="(\/_next\/[^"]+)"([^>]*)><\/script>/g
const SCRIPT_PRELOAD = /<link rel="preload" as="script"[^>]*\/?>/g

/**
 * A cached page shows everything without scripts; they only make it quicker to use. So their files are asked for once the
 * page has been painted, and share neither connection nor processor with its text. A page in a tab behind others is
 * never painted, and loads them at once. Pages without such files are answered as they are. `nonce` = that of the page.
 */
export function loadScriptsAfterPaint(html: string, nonce: string): string {
  const files: string[] = []
  const bare = html.replace(FILE_SCRIPT, (whole, file: string, attributes: string) => {
    // Without `async` a script has its place in the page, as the one for browsers that know no modules.
    if (!/\sasync\b/.test(attributes)) return whole
    files.push(file)
    return ''
  })
  const end = bare.lastIndexOf('</body>')
  if (files.length === 0 || end < 0) return html
  const loader = `<script nonce="${nonce}">${loaderOf(files)}</script>`
  return bare.slice(0, end).replace(SCRIPT_PRELOAD, '') + loader + bare.slice(end)
}

function loaderOf(files: readonly string[]): string {
  return `(()=>{const load=()=>{for(const file of ${JSON.stringify(files)}){const script=document.createElement("script");script.src=file;document.head.append(script)}};document.hidden?load():requestAnimationFrame(()=>setTimeout(load))})()`
}
