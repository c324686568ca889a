import { applyEdits, modify } from 'jsonc-parser'
import { parseJson } from '#lib/domain/record/index.ts'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { at, listAt, textAt } from './json-value.ts'
import { partsOfRequest } from './request-parts.ts'
import type { AskedTurn } from './route-request.ts'

/** `leftOut` names the tools that were taken out. */
type OfflineRequest =
  | { ok: true; text: string; json: unknown; leftOut: readonly string[] }
  | { ok: false; reason: string }

type Request = Pick<AskedTurn, 'protocol' | 'text' | 'json' | 'model'>

/**
 * A request of an agent that has no network, without the tools by which its provider would reach the internet in its
 * place: there it finds public solutions. Some agents offer a search with every request, so the tool is left out and the
 * rest goes on; a request for nothing but that is refused. Without such a tool the very same text comes back.
 */
export function withoutWeb({ protocol, text, json, model }: Request): OfflineRequest {
  const way = findWay(json, model)
  if (way !== null) return refusal(way)
  const tools = listAt(json, 'tools')
  const leftOut = tools.flatMap((tool) => namesOfWeb(protocol, tool))
  if (leftOut.length === 0) return { ok: true, text, json, leftOut }
  const kept = tools.flatMap((tool) => keptOf(protocol, tool))
  if (kept.length === 0) return refusal(`a request with ${leftOut[0]} alone`)
  const edited = applyEdits(text, modify(text, ['tools'], kept, {}))
  const left = parseJson(edited)
  // A body may name a member twice, and then the other one would go out.
  const isClean = JSON.stringify(listAt(left, 'tools')) === JSON.stringify(kept)
  return isClean
    ? { ok: true, text: edited, json: left, leftOut }
    : refusal('a body with two lists of tools')
}

function refusal(what: string): OfflineRequest {
  return {
    ok: false,
    reason: `This attempt has no network, and the provider must not reach the internet in its place: ${what} is not passed on.`,
  }
}

/** Types of tools that an agent runs itself, or that look among its own tools. */
const OWN = /^(?:function|custom|namespace|tool_search)/
const WEB = /web|search|fetch|brows|mcp|url|maps|retriev|connector/i

/** What of a tool reaches the internet, by the provider's names. */
function namesOfWeb(protocol: Protocol, tool: unknown): string[] {
  if (protocol === 'gemini')
    return Object.keys((tool as object | null) ?? {}).filter((member) => WEB.test(member))
  if (!isWebTool(tool)) return []
  return [textAt(tool, 'function', 'name') ?? textAt(tool, 'type') ?? 'a web tool']
}

/** What is left of a tool: it, nothing, or of Gemini's, which can be several in one, the other members. */
function keptOf(protocol: Protocol, tool: unknown): unknown[] {
  if (protocol !== 'gemini') return isWebTool(tool) ? [] : [tool]
  const members = Object.entries((tool as object | null) ?? {})
  const own = members.filter(([member]) => !WEB.test(member))
  if (own.length === members.length) return [tool]
  return own.length === 0 ? [] : [Object.fromEntries(own)]
}

function isWebTool(tool: unknown): boolean {
  const policy =
    at(tool, 'container', 'network_policy') ?? at(tool, 'environment', 'network_policy')
  if (policy !== undefined && policy !== null && at(policy, 'type') !== 'disabled') return true
  // Moonshot's own tools have a name that begins so.
  if (textAt(tool, 'function', 'name')?.startsWith('$')) return true
  const type = textAt(tool, 'type') ?? 'function'
  return !OWN.test(type) && WEB.test(type)
}

/** A way to the internet beside the list of tools. */
function findWay(json: unknown, model: string | null): string | null {
  const isAsked = (member: string) =>
    (at(json, member) ?? null) !== null && at(json, member, 'mode') !== 'off'
  const ways: [string, boolean][] = [
    [`the model ${model}`, model?.endsWith(':online') === true],
    ['mcp_servers', listAt(json, 'mcp_servers').length > 0],
    ['the plugin web', listAt(json, 'plugins').some((plugin) => at(plugin, 'id') === 'web')],
    ['web_search_options', isAsked('web_search_options')],
    ['search_parameters', isAsked('search_parameters')],
    ['enable_search', at(json, 'enable_search') === true],
    ['content at an address', [...partsOfRequest(json)].some(isFetched)],
  ]
  return ways.find(([, isThere]) => isThere)?.[0] ?? null
}

/** Content that the provider fetches by itself. */
function isFetched(part: object): boolean {
  const places = [
    textAt(part, 'type') === 'url' ? at(part, 'url') : undefined,
    at(part, 'file_url'),
    at(part, 'image_url', 'url') ?? at(part, 'image_url'),
    at(part, 'fileData', 'fileUri') ?? at(part, 'file_data', 'file_uri'),
  ]
  return places.some((place) => typeof place === 'string' && /^https?:/i.test(place))
}
