import { z } from 'zod'
import { changeKey, escapeXml, type RowChange } from '../board/index.ts'
import { formatDifference, formatLevel, formatP } from '../compare/index.ts'
import { describeAction, LEDGER_WORDS, type LedgerEntry } from '../ledger/index.ts'
import { countOf, subjectLabel } from '../record/index.ts'

/** What a feed can be narrowed to. */
export const FEED_KINDS = ['changes', 'ledger'] as const

/** One entry of a feed. Texts are plain and untrusted; `path` is below this server. */
export type FeedItem = {
  /** Never changes and is never given to another entry. */
  id: string
  path: string
  title: string
  text: string
  at: string
  author: string | null
  tags: string[]
}

/** A feed with absolute addresses. */
export type Feed = {
  /** The same for every page of it. */
  id: string
  title: string
  description: string
  /** The page it belongs to, and both of its own addresses. */
  pageUrl: string
  atomUrl: string
  jsonUrl: string
  /** The next page of this format; null = this is the last. */
  nextUrl: string | null
  /** Absolute address of this server, without a slash at its end. */
  origin: string
  items: readonly FeedItem[]
}

/** A ledger entry as an item. */
export function ledgerItem({ sequence, at, author, reason, action, hash }: LedgerEntry): FeedItem {
  const { word, meaning } = LEDGER_WORDS[action.kind]
  const details = describeAction(action)
  const query = new URLSearchParams({ target: action.target })
  return {
    id: `urn:proofboard:ledger:${hash}`,
    path: `/ledger?${query}#entry-${sequence}`,
    title: `${word}: ${action.target}`,
    text: [`Reason: ${endSentence(reason)}`, details && endSentence(details), meaning]
      .filter(Boolean)
      .join(' '),
    at,
    author,
    tags: ['ledger', action.kind],
  }
}

/** A significant change of an entry as an item: what changed, by how much, how sure, and how that was tested. */
export function changeItem(change: RowChange): FeedItem {
  const { before, after, result, suiteTitle, test } = change
  const direction = result.difference > 0 ? 'more' : 'fewer'
  const rates = testedRates(test)
  return {
    id: `urn:proofboard:change:${before.rowId}:${after.rowId}`,
    path: changePath(change),
    title: `${subjectLabel({ ...after.subject, version: null })} solves ${direction} tasks of ${suiteTitle}: ${rates}`,
    text: describeChange(change),
    at: changeKey(change).split(' ', 1)[0] ?? after.lastStartedAt,
    author: null,
    tags: ['change', after.suiteId, after.subject.name],
  }
}

/** Before and after, over the tasks that were tested: of rows with other tasks besides, not the rows' own rates. */
function testedRates({ before, after }: RowChange['test']): string {
  return `${percent(meanRate(before))} → ${percent(meanRate(after))}`
}

/** The mean over the tasks that were tested, whose difference the test is about. */
function meanRate({ tallies }: RowChange['test']['before']): number | null {
  const scored = tallies.filter((task) => task.scored > 0)
  if (scored.length === 0) return null
  return scored.reduce((sum, task) => sum + task.solved / task.scored, 0) / scored.length
}

/** The sentences of a change, with interval, corrected p and method. */
function describeChange(change: RowChange): string {
  const { before, after, result, adjustedP, tested, confidence, commonTasks, changes } = change
  const { difference, low, high, method } = result
  const isUp = difference > 0
  const [from, to] = isUp ? [low, high] : [-high, -low]
  const size = formatDifference(Math.abs(difference))
  const interval = `${formatLevel(confidence)} confidence interval ${formatDifference(from)} to ${formatDifference(to)}`
  const others = changes.filter((name) => name !== 'version')
  const tasks =
    commonTasks === null
      ? `The suite's tasks changed: all ${countOf(before.success.tasks, 'earlier task')} against all ${countOf(after.success.tasks, 'later one')}.`
      : `Over the ${countOf(commonTasks, 'task')} that are the same in both: ${testedRates(change.test)}.`
  return [
    `Success rate ${size} percentage points ${isUp ? 'higher' : 'lower'} (${interval}), adjusted p ${formatP(adjustedP)}.`,
    `Before: ${edition(before)}. After: ${edition(after)}.`,
    ...(others.length > 0 ? [`Also different: ${others.join(', ')}.`] : []),
    tasks,
    `Test: ${method}; Holm over ${countOf(tested, 'tested change')} of all suites.`,
  ].join(' ')
}

/** Both entries side by side where they can be compared, else the history that shows both. */
function changePath({ before, after }: RowChange): string {
  if (before.suiteDigest === after.suiteDigest) {
    const query = new URLSearchParams({ rows: `${after.rowId},${before.rowId}` })
    return `/compare?${query}`
  }
  const { name, modelRequested } = after.subject
  const model = modelRequested === null ? {} : { model: modelRequested }
  return `/history?${new URLSearchParams({ suite: after.suiteId, subject: name, ...model })}`
}

function edition({ subject, success, firstStartedAt, lastStartedAt }: RowChange['before']): string {
  const [from, to] = [firstStartedAt.slice(0, DAY), lastStartedAt.slice(0, DAY)]
  const days = from === to ? from : `${from} to ${to}`
  const version = subject.version ? `version ${subject.version}, ` : ''
  return `${version}${days}, ${percent(success.rate)} (${percent(success.low)} to ${percent(success.high)}), ${countOf(success.attempts, 'episode')}`
}

/** `2026-11-01` of an instant. */
const DAY = 10

function percent(rate: number | null): string {
  return rate === null ? 'unknown' : `${(100 * rate).toFixed(1)} %`
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`
}

/** Before anything happened. */
const EPOCH = '1970-01-01T00:00:00.000Z'

/** The feed as Atom (RFC 4287), with the next page as RFC 5005 has it. */
export function writeAtom(feed: Feed): string {
  const { id, title, description, pageUrl, atomUrl, jsonUrl, nextUrl, items } = feed
  const updated = items.map(({ at }) => at).sort()
  const links = [
    linkTag('self', atomUrl, 'application/atom+xml'),
    linkTag('alternate', pageUrl, 'text/html'),
    linkTag('alternate', jsonUrl, 'application/feed+json'),
    ...(nextUrl ? [linkTag('next', nextUrl, 'application/atom+xml')] : []),
  ]
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    tag('id', id),
    tag('title', title),
    tag('subtitle', description),
    tag('updated', updated.at(-1) ?? EPOCH),
    '<author><name>Proofboard</name></author>',
    ...links,
    ...items.map((item) => atomEntry(item, feed.origin)),
    '</feed>\n',
  ].join('\n')
}

function atomEntry({ id, path, title, text, at, author, tags }: FeedItem, origin: string): string {
  return [
    '<entry>',
    tag('id', id),
    tag('title', title),
    tag('updated', at),
    tag('published', at),
    linkTag('alternate', `${origin}${path}`, 'text/html'),
    ...(author === null ? [] : [`<author>${tag('name', author)}</author>`]),
    ...tags.map((term) => `<category term="${escapeXml(term)}"/>`),
    tag('content', text),
    '</entry>',
  ].join('\n')
}

function tag(name: string, text: string): string {
  return `<${name}>${escapeXml(oneLine(text))}</${name}>`
}

function linkTag(rel: string, href: string, type: string): string {
  return `<link rel="${rel}" type="${type}" href="${escapeXml(href)}"/>`
}

/** JSON Feed, version 1.1. */
export const jsonFeedSchema = z.object({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string(),
  description: z.string(),
  home_page_url: z.string(),
  feed_url: z.string(),
  /** Absent on the last page. */
  next_url: z.string().optional(),
  language: z.literal('en'),
  items: z.array(
    z.object({
      id: z.string(),
      url: z.string(),
      title: z.string(),
      content_text: z.string(),
      date_published: z.string(),
      authors: z.array(z.object({ name: z.string() })).optional(),
      tags: z.array(z.string()),
    }),
  ),
})
type JsonFeed = z.infer<typeof jsonFeedSchema>

/** The feed as JSON Feed 1.1. */
export function writeJsonFeed(feed: Feed): JsonFeed {
  const { title, description, pageUrl, jsonUrl, nextUrl, origin, items } = feed
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: plain(title),
    description: plain(description),
    home_page_url: pageUrl,
    feed_url: jsonUrl,
    ...(nextUrl && { next_url: nextUrl }),
    language: 'en',
    items: items.map((item) => ({
      id: item.id,
      url: `${origin}${item.path}`,
      title: plain(item.title),
      content_text: plain(item.text),
      date_published: item.at,
      ...(item.author !== null && { authors: [{ name: plain(item.author) }] }),
      tags: item.tags.map(plain),
    })),
  }
}

/** Without control, bidi and other invisible characters, as in XML. */
function plain(text: string): string {
  return oneLine(text).replace(/\p{C}/gu, '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}
