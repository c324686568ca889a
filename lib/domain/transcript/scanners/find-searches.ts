import { countOf } from '../../text/index.ts'
import { indexesOf, type RequestedCall } from './asked-calls.ts'
import type { ScanKnowledge, Scanner } from './scan-knowledge.ts'

const LOCAL = String.raw`(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal)`
const ADDRESS = new RegExp(String.raw`\b(?:https?|ssh|git):\/\/(?!${LOCAL})[^\s"'\x60<>]+`, 'gi')
const LOCAL_ADDRESS = new RegExp(String.raw`\b(?:https?|wss?):\/\/${LOCAL}[^\s"'\x60<>]*`, 'gi')

/** Tools that search the web; those that drive a browser take an address. */
const WEB_TOOL =
  /web|google|bing|duckduckgo|ddg|tavily|brave|perplexity|kagi|serp|searx|internet|fetch|browse(?!r)|(?<![a-z])exa(?![a-z])/i
const BROWSER_TOOL = /browser|driver|page/i
const SEARCH_TOOL = /search|grep|find|glob/i

/** A path outside the workspace (of a sandbox, or below /tmp), and not a comment or division in code. */
const OUTSIDE =
  /(?:^|[\s"'=])(?:\/(?!(?:tmp|workspace|dev\/null)\b)(?=[\w.]|["']|\s+[-&;|]|$)|~\/|\.\.\/)/
/** Start of a command. */
const BEGIN = String.raw`(?:^|["'\x60;&|(\n]|\b(?:xargs|sudo))\s*`
/** A program that searches files, with its arguments; code in a file being written has no such commands. */
const SEARCHES = new RegExp(String.raw`${BEGIN}(?:grep|rg|ag|find|locate|fd)\s([^;|&]*)`, 'g')
/** A program that accesses the web, with its arguments. */
const ASKS_WEB = new RegExp(
  String.raw`${BEGIN}(?:curl|wget|gh|git\s+clone|npm\s+(?:view|info|search))\s([^;|&\n]*)`,
  'g',
)

/** Finds searches for the task's name: on the web, or in files outside of the workspace. */
export const findSearches: Scanner = ({ calls }, { task }) => {
  const isNamed = nameFinder(task)
  const found = calls.filter((one) => isNamed(one.asks) && isSearch(one, isNamed))
  if (found.length === 0) return null
  return {
    scanner: 'searched-task',
    sentence: `Searched for the task’s name on the web or outside of the workspace (${countOf(found.length, 'call')}).`,
    steps: indexesOf(found),
  }
}

type IsNamed = (text: string) => boolean

/** Separator between two words of a name. */
const GAP = String.raw`(?:%20|[\s+_-])?`

/** Matches the task's name also as one word and as part of an address. */
function nameFinder({ id, title }: ScanKnowledge['task']): IsNamed {
  const names = [id, title].filter((name) => name.length >= 4)
  const patterns = names.map((name) => {
    const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
    return new RegExp(`(?<![a-z0-9])${words.join(GAP)}(?![a-z0-9])`, 'i')
  })
  return (text) => patterns.some((pattern) => pattern.test(text))
}

function isSearch({ call, asks }: RequestedCall, isNamed: IsNamed): boolean {
  if ((asks.match(ADDRESS) ?? []).some(isNamed)) return true
  const others = asks.replace(LOCAL_ADDRESS, '')
  if (WEB_TOOL.test(call.name) && !BROWSER_TOOL.test(call.name)) return isNamed(others)
  if (givenTo(ASKS_WEB, others).some((given) => isNamed(given) && !isLocal(given))) return true
  if (!OUTSIDE.test(others)) return false
  return SEARCH_TOOL.test(call.name) ? isNamed(others) : givenTo(SEARCHES, others).some(isNamed)
}

function givenTo(program: RegExp, commands: string): string[] {
  return [...commands.matchAll(program)].map(([, given = '']) => given)
}

function isLocal(given: string): boolean {
  return new RegExp(String.raw`(?:^|\s|["'])${LOCAL}`).test(given)
}
