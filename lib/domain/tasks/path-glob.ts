/**
 * True if a path matches a glob: `*` is any part of one name, `**` any number of folders, `?` one character; a glob
 * ending in `/` matches everything below that folder. Other characters match themselves; memory is linear.
 */
export function matchesGlob(path: string, glob: string): boolean {
  const parts = (glob.endsWith('/') ? `${glob}**` : glob).split('/')
  return matchFolders(path.split('/'), parts)
}

/** True if a path matches one of several globs. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchesGlob(path, glob))
}

/** Computes one table row at a time, so that many `**` cost no more than their number times the folders. */
function matchFolders(names: readonly string[], parts: readonly string[]): boolean {
  let row = names.map(() => false)
  row = [true, ...row]
  for (const part of parts) row = part === '**' ? anyDepth(row) : oneFolder(row, names, part)
  return row.at(-1) ?? false
}

function anyDepth(row: readonly boolean[]): boolean[] {
  const first = row.indexOf(true)
  return row.map((_, at) => first !== -1 && at >= first)
}

function oneFolder(row: readonly boolean[], names: readonly string[], part: string): boolean[] {
  return [false, ...names.map((name, at) => row[at] === true && matchName(name, part))]
}

/** Matches greedily with one backtracking position: only the latest star is tried again. */
function matchName(name: string, part: string): boolean {
  let [at, place, star, from] = [0, 0, -1, 0]
  while (at < name.length) {
    if (part[place] === '*') {
      star = place++
      from = at
    } else if (place < part.length && (part[place] === '?' || part[place] === name[at])) {
      place++
      at++
    } else if (star !== -1) {
      place = star + 1
      at = ++from
    } else return false
  }
  return part.slice(place).replaceAll('*', '') === ''
}
