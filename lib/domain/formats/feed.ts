import { z } from 'zod'
import { changeKey, type RowChange } from '../board/index.ts'
import { formatP } from '../compare/index.ts'
import { describeAction, LEDGER_WORDS, type LedgerEntry } from '../ledger/index.ts'
import { subjectLabel } from '../record/index.ts'
import { countOf, escapeXml, formatDifference, formatLevel, formatShare } from '../text/index.ts'

/** Filters of a feed. */
export const FEED_KINDS = ['changes', 'ledger'] as const

/** One entry of a feed. Texts are plain and untrusted; `path` is below this server. */
export type FeedItem = {
  /** Stable; never reused for another entry. */
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
  /** The same for every page of the feed. */
  id: string
  title: string
  description: string
  /** The HTML page of the feed, and the feed's own addresses. */
  pageUrl: string
  atomUrl: string
  jsonUrl: string
  /** The next page of this format; null = last page. */
  nextUrl: string | null
  /** Absolute address of this server, without a trailing slash. */
  origin: string
  items: readonly FeedItem[]
}

/** Converts a ledger entry to an item. */
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

/**
 * Converts a significant change of an entry to an item: what changed, by how much, how sure, and how that was tested.
 */
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

/**
 * Rates before and after over the tested tasks; if rows have other tasks too, these differ from the rows' own rates.
 */
function testedRates({ before, after }: RowChange['test']): string {
  return `${percent(meanRate(before))} → ${percent(meanRate(after))}`
}

/** Mean rate over the tested tasks, whose difference the test is about. */
function meanRate({ tallies }: RowChange['test']['before']): number | null {
  const scored = tallies.filter((task) => task.scored > 0)
  if (scored.length === 0) return null
  return scored.reduce((sum, task) => sum + task.solved / task.scored, 0) / scored.length
}

/** Describes a change in sentences, with interval, corrected p and method. */
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

/** Links to both entries side by side if they can be compared, else to the history that shows both. */
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

/** Length of the date in an instant: `2026-11-01`. */
const DAY = 10

function percent(rate: number | null): string {
  return rate === null ? 'unknown' : `${formatShare(rate, 1)} %`
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`
}

/** Update time of an empty feed. */
const EPOCH = '1970-01-01T00:00:00.000Z'

/** Formats the feed as Atom (RFC 4287), with the next page as in RFC 5005. */
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

/** Formats the feed as JSON Feed 1.1. */
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

/** Removes control, bidi and other invisible characters, as in XML. */
function plain(text: string): string {
  return oneLine(text).replace(/\p{C}/gu, '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}
