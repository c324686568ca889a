import { escapeMarkup, unescapeMarkup } from '#lib/domain/record/index.ts'
import { canonicalAddress, fragmentOf } from './canonical-address.ts'
import { hashPolicy } from './hash-policy.ts'
import { baseOf } from './site-address.ts'

export type PageAddress = {
  address: string
  /** Path of its file in the copy. */
  file: string
  /** Origins of the site in links. */
  origins: readonly string[]
  /** Where an address is in the copy; null = it is not. */
  find: (address: string) => string | null
}

const SCRIPT = /(<script\b[^>]*>[\s\S]*?<\/script>)/
const TAG = /<[a-zA-Z][^>]*>/g
const LINK = /(\s(?:href|src|action))="([^"]*)"/g

/** Every address that a page names in a link, an image or a file, canonical, in the order of the page. */
export function listLinks(html: string, place: Pick<PageAddress, 'address' | 'origins'>): string[] {
  const tags = html
    .split(SCRIPT)
    .filter((part) => !SCRIPT.test(part))
    .flatMap((part) => part.match(TAG) ?? [])
  const addresses = tags
    .flatMap((tag) => [...tag.matchAll(LINK)])
    // A form asks with fields that are not known here.
    .filter(([, name]) => name?.trim() !== 'action')
    .flatMap(([, , value = '']) => ownAddress(value, place) ?? [])
  return [...new Set(addresses)]
}

/** A page of the server as a file: links relative, its policy inside, and the script that replaces the server. */
export function rewritePage(html: string, policy: string, place: PageAddress): string {
  const base = baseOf(place.file)
  const parts = html
    .split(SCRIPT)
    .map((part) => (SCRIPT.test(part) ? rewriteScript(part, base) : rewriteTags(part, place)))
  const hashed = hashPolicy({ html: parts.join(''), policy })
  if (hashed === null) throw new Error(`${place.address} has a script that is not the site’s own`)
  return hashed.html.replace('<head>', `<head>${headOf(hashed.policy, place, base)}`)
}

/** A policy in a page cannot name who may frame it. */
function headOf(policy: string, { address }: PageAddress, base: string): string {
  const remaining = policy
    .split('; ')
    .filter((directive) => !directive.startsWith('frame-ancestors'))
    .join('; ')
  return [
    `<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(remaining)}"/>`,
    `<script src="${base}static-copy.js" data-base="${base}" data-address="${escapeMarkup(address)}"></script>`,
  ].join('')
}

/** Names of files in a tag, or in the data of a page, by which its scripts load them. */
const NAMED_FILE = /(\\?")\/(_next\/static\/[\w./~-]+|icon\.svg\?[\w.-]+)\1/g

/** Only whole names: what an agent wrote beside them is counted by its length, and must stay as it is. */
function rewriteScript(script: string, base: string): string {
  return script.replace(NAMED_FILE, (_, quote: string, file: string) => {
    return `${quote}${base}${file}${quote}`
  })
}

function rewriteTags(part: string, place: PageAddress): string {
  return part.replace(TAG, (tag) =>
    tag.replace(
      LINK,
      (_, name: string, value: string) =>
        `${name}="${escapeMarkup(rewriteLink(unescapeMarkup(value), place))}"`,
    ),
  )
}

function rewriteLink(href: string, place: PageAddress): string {
  if (href.startsWith('#') || href === '') return href
  const base = baseOf(place.file)
  if (href.startsWith('/_next/')) return `${base}${href.slice(1)}`
  const address = ownAddress(escapeMarkup(href), place)
  if (address === null) return href
  const file = place.find(address)
  // A fragment would name a place of the page that is not here.
  return file === null
    ? `${base}not-here/index.html#${address}`
    : `${base}${file}${fragmentOf(href)}`
}

/** Null = it leads to another site, or within the page. */
function ownAddress(value: string, { address, origins }: Pick<PageAddress, 'address' | 'origins'>) {
  const href = unescapeMarkup(value)
  if (href.startsWith('#') || /^(?:data|mailto|javascript|blob):/i.test(href)) return null
  if (href.startsWith('/_next/')) return null
  return canonicalAddress(href, address, origins)
}
