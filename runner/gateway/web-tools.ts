import { applyEdits, modify } from 'jsonc-parser'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { parseJson } from '#lib/domain/text/index.ts'
import { at, listAt, textAt } from './json-value.ts'
import { partsOfRequest } from './request-parts.ts'
import type { ModelRequest } from './route-request.ts'

/** `leftOut` = names of the removed tools. */
type OfflineRequest =
  | { ok: true; text: string; json: unknown; leftOut: readonly string[] }
  | { ok: false; reason: string }

type Request = Pick<ModelRequest, 'protocol' | 'text' | 'json' | 'model'>

/**
 * Removes from a request of an offline agent the tools by which its provider would reach the internet on its behalf,
 * where it could find public solutions. Some agents offer a search with every request, so only the tool is removed; a
 * request for nothing else is refused. Without such a tool the text stays unchanged.
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
  // A body may contain a member twice, and then the other one would be sent.
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

/** Types of tools that an agent runs itself, or that search its own tools. */
const OWN = /^(?:function|builtin_function|custom|namespace|tool_search\w*)$/i
const WEB = /web|search|fetch|brows|mcp|url|maps|retriev|connector/i

/** Parts of a tool that reach the internet, by the provider's names. */
function namesOfWeb(protocol: Protocol, tool: unknown): string[] {
  if (protocol === 'gemini')
    return Object.keys((tool as object | null) ?? {}).filter((member) => WEB.test(member))
  if (!isWebTool(tool)) return []
  return [textAt(tool, 'function', 'name') ?? textAt(tool, 'type') ?? 'a web tool']
}

/** Returns the rest of a tool: all, nothing, or the other members of Gemini's, which may be several in one. */
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
  // Moonshot's own tools have names that begin with `$`.
  if (textAt(tool, 'function', 'name')?.startsWith('$')) return true
  if (listAt(tool, 'tools').some(isWebTool)) return true
  const type = textAt(tool, 'type') ?? 'function'
  return !OWN.test(type) && WEB.test(type)
}

/** Members that ask providers, routers and proxies to search or fetch, whatever their exact name. */
const WAY = /^(?:enable|use)?_?(?:web|online|internet)|search|^grounding|^mcp_?servers$|^browse/i

/** Finds internet access requested outside the list of tools. */
function findWay(json: unknown, model: string | null): string | null {
  const models = [model, ...listAt(json, 'models')].filter((name) => typeof name === 'string')
  const online = models.find((name) => /:online\b/i.test(name))
  if (online !== undefined) return `the model ${online}`
  const member = Object.entries(json as object).find(
    ([name, value]) => WAY.test(name) && isOn(value),
  )
  if (member) return member[0]
  const plugin = listAt(json, 'plugins').find((one) => WEB.test(textAt(one, 'id') ?? ''))
  if (plugin) return `the plugin ${textAt(plugin, 'id')}`
  const parts = [...partsOfRequest(json)]
  if (parts.some((part) => listAt(part, 'tools').some(isWebTool))) return 'a message with web tools'
  return parts.some(isFetched) ? 'content at an address' : null
}

function isOn(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (value === undefined || value === null || value === false || value === 0) return false
  if (typeof value === 'string') return !/^(?:|off|none|false|disabled|0)$/i.test(value)
  const state = at(value, 'mode') ?? at(value, 'enabled') ?? at(value, 'enable')
  return state === undefined || isOn(state)
}

/** Content that the provider fetches by itself. */
function isFetched(part: object): boolean {
  return Object.entries(part).some(([name, value]) => {
    const isPlace =
      /.(?:_url|Url|uri)$/i.test(name) || (name === 'url' && textAt(part, 'type') === 'url')
    const place = typeof value === 'string' ? value : at(value, 'url')
    return isPlace && typeof place === 'string' && /^\s*https?:/i.test(place)
  })
}
