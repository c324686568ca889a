import { FAILED } from './failed-page.ts'

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g
const SCRIPT_PRELOAD = /<link rel="preload" as="script"[^>]*\/?>/g
/** By these React finds its places in the text of a page again. */
const MARK = /<!--(?:\/?\$| )?-->/g

/**
 * The page without React: its scripts and their data are left out. Null = the page has a component that needs them, or
 * parts that they put into place. `needsScripts` = whether a client component does, by its module's number in the build.
 */
export function plainPage(html: string, needsScripts: (id: string) => boolean): string | null {
  if (html.includes(FAILED)) return null
  const data: string[] = []
  const bare = html.replace(SCRIPT, (whole, attributes: string, text: string) => {
    if (DATA.test(text)) data.push(text)
    return isOfReact(attributes, text) ? '' : whole
  })
  // What else stands in a body moves parts of the page that came late.
  if (bare.includes('<script', bare.indexOf('<body'))) return null
  const ids = listClientModules(data)
  if (ids.length === 0 || ids.some(needsScripts)) return null
  return bare.replace(SCRIPT_PRELOAD, '').replace(MARK, '')
}

const DATA = /^\(?self\.__next_f\b/
const STARTER = /^\(globalThis\["TURBOPACK"\]/

function isOfReact(attributes: string, text: string): boolean {
  return /\ssrc="\/_next\//.test(attributes) || DATA.test(text) || STARTER.test(text)
}

/** A line of the data that names a client component: `1f:I[5014,["/_next/static/…"],"default"]`. */
const REFERENCE = /(?:^|\n)[\da-f]+:I\[("[^"]*"|\d+),/g

/** The modules of the client components in a page's data. Text of a page can only add to them. */
function listClientModules(data: readonly string[]): string[] {
  const text = data.map(readPushed).join('')
  return [...text.matchAll(REFERENCE)].map(([, id = '']) => id.replaceAll('"', ''))
}

const PUSH = 'self.__next_f.push('

/** `self.__next_f.push([1,"…"])`; the first script only makes the list. */
function readPushed(script: string): string {
  if (!script.startsWith(PUSH)) return ''
  const [, text]: unknown[] = JSON.parse(script.slice(PUSH.length, -1))
  if (typeof text !== 'string') throw new Error('the data of a page is not what it should be')
  return text
}
