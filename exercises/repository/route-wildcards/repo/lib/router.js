'use strict'

const { cleanPath } = require('./path.js')

class Router {
  constructor() {
    this.routes = new Map()
  }

  /** Adds a route; the last one for a method and path wins. */
  add(method, path, handler) {
    const key = cleanPath(path)
    const methods = this.routes.get(key) ?? new Map()
    methods.set(method.toUpperCase(), handler)
    this.routes.set(key, methods)
    return this
  }

  /** The handler of a request, or null. */
  match(method, path) {
    const handler = this.routes.get(cleanPath(path))?.get(method.toUpperCase())
    return handler === undefined ? null : { handler, params: {} }
  }
}

module.exports = { Router }
