'use strict'

/** A path without its query and without a slash at its end; the root stays `/`. */
function cleanPath(path) {
  const end = path.indexOf('?')
  const bare = end === -1 ? path : path.slice(0, end)
  return bare.length > 1 && bare.endsWith('/') ? bare.slice(0, -1) : bare || '/'
}

module.exports = { cleanPath }
