'use strict'

const { cleanPath } = require('./path.js')

/** From the most to the least particular. */
const RANK = { literal: 0, parameter: 1, wildcard: 2 }

class Router {
  constructor() {
    this.routes = new Map()
  }

  /** Adds a route; the last one for a method and shape wins. */
  add(method, path, handler) {
    const parts = parsePattern(cleanPath(path))
    const shape = parts.map(({ kind, text }) => (kind === 'literal' ? `=${text}` : kind)).join('/')
    this.routes.set(`${method.toUpperCase()} ${shape}`, {
      method: method.toUpperCase(),
      parts,
      handler,
    })
    return this
  }

  /** The handler of a request with its parameters; the methods of the path where that one is missing; or null. */
  match(method, path) {
    const segments = cleanPath(path).slice(1).split('/')
    const found = [...this.routes.values()]
      .map((route) => ({ ...route, params: matchParts(route.parts, segments) }))
      .filter(({ params }) => params !== null)
    if (found.length === 0) return null
    const best = found.find((route) => route.method === method.toUpperCase())
    if (best) return { handler: best.handler, params: best.params }
    return { allowed: [...new Set(found.map((route) => route.method))].sort() }
  }
}

function parsePattern(path) {
  const segments = path.slice(1).split('/')
  const names = new Set()
  return segments.map((text, at) => {
    if (text.startsWith(':')) {
      const name = text.slice(1)
      if (names.has(name)) throw new TypeError(`two parameters are called ${name}: ${path}`)
      names.add(name)
      return { kind: 'parameter', text: name }
    }
    if (!text.includes('*')) return { kind: 'literal', text }
    if (text !== '*' || at !== segments.length - 1)
      throw new TypeError(`a wildcard stands at the end, alone: ${path}`)
    return { kind: 'wildcard', text }
  })
}

function matchParts(parts, segments) {
  const params = Object.create(null)
  for (const [at, { kind, text }] of parts.entries()) {
    const segment = segments[at]
    if (kind === 'wildcard') {
      const rest = segments.slice(at).join('/')
      if (rest === '') return null
      params['*'] = rest
      return params
    }
    if (segment === undefined) return null
    if (kind === 'literal') {
      if (segment !== text) return null
      continue
    }
    const value = decode(segment)
    if (value === null || value === '') return null
    params[text] = value
  }
  return parts.length === segments.length ? params : null
}

function decode(segment) {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

function compare(a, b) {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = RANK[a[at].kind] - RANK[b[at].kind]
    if (order !== 0) return order
  }
  return b.length - a.length
}

module.exports = { Router }
