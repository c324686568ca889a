import { readdir, readFile, readlink } from 'node:fs/promises'
import { endianness } from 'node:os'

/**
 * The process at the client's end of a connection to an app: the leased browser with this first process, another one,
 * or one that has ended. Null = this machine does not report it.
 */
export type Client = number | 'other' | 'gone' | null

/** A connection as its server sees it. */
export type Ends = { address: string; port: number; serverPort: number }

export type FindClient = (ends: Ends, browsers: ReadonlySet<number>) => Promise<Client>

/**
 * Finds the process that opened a connection from kernel data: the connection's inode is in the socket table, and in
 * the list of open files of its process. No header, cookie or address is used, so a library can copy nothing: its own
 * connection is never one of the browser's files.
 */
export function createClientFinder(platform: NodeJS.Platform = process.platform): FindClient {
  if (platform !== 'linux') return async () => null
  const trees = browserTrees()
  const readTable = shareRead(() => readFile('/proc/net/tcp', 'latin1'))
  return async (ends, browsers) => {
    const inode = findInode(await readTable(), ends)
    if (inode === null) return 'gone'
    for (const browser of browsers) {
      const owns = await holdsSocket(trees, browser, inode)
      if (owns === null) return null
      if (owns) return browser
    }
    // Closed during the lookup: no process holds it any more.
    return findInode(await readTable(), ends) === inode ? 'other' : 'gone'
  }
}

/** Shares one reading of the table, which takes milliseconds, among callers that ask before it began. */
function shareRead(read: () => Promise<string>): () => Promise<string> {
  let next: Promise<string> | null = null
  return () => {
    next ??= Promise.resolve().then(() => {
      next = null
      return read()
    })
    return next
  }
}

/** Returns the inode of the client's end; null = the client has closed it. */
function findInode(table: string, { address, port, serverPort }: Ends): string | null {
  const near = `${hexAddress(address)}:${hexPort(port)}`
  for (const line of table.split('\n')) {
    const [, local, remote = '', , , , , , , inode] = line.trim().split(/\s+/)
    if (local === near && remote.endsWith(`:${hexPort(serverPort)}`))
      return inode === undefined || inode === '0' ? null : inode
  }
  return null
}

/** Formats an address as the kernel prints it: its bytes as one number in this machine's byte order. */
function hexAddress(address: string): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
  return (endianness() === 'LE' ? bytes.reverse() : bytes).join('').toUpperCase()
}

function hexPort(port: number): string {
  return port.toString(16).padStart(4, '0').toUpperCase()
}

/** Checks the process first where the browser's sockets were found before; null = its open files cannot be read. */
async function holdsSocket(
  trees: BrowserTrees,
  browser: number,
  inode: string,
): Promise<boolean | null> {
  const known = await trees.known(browser)
  if (known !== null && (await lists(known, inode)) === true) return true
  let isDenied = false
  for (const pid of await trees.look(browser)) {
    const isListed = await lists(pid, inode)
    if (isListed === null) isDenied = true
    if (isListed !== true) continue
    await trees.learn(browser, pid)
    return true
  }
  return isDenied ? null : false
}

/** Returns whether a process has this socket open; null = permission denied. */
async function lists(pid: number, inode: string): Promise<boolean | null> {
  const folder = `/proc/${pid}/fd`
  try {
    const wanted = `socket:[${inode}]`
    const names = await readdir(folder)
    const links = await Promise.all(
      names.map((name) => readlink(`${folder}/${name}`).catch(() => '')),
    )
    return links.includes(wanted)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EACCES' || code === 'EPERM' ? null : false // it has ended in the meantime
  }
}

/** The processes of browsers, by the first process of each. */
type BrowserTrees = {
  /** Returns the process that held a socket of this browser before, if it is still the same one. */
  known: (browser: number) => Promise<number | null>
  learn: (browser: number, pid: number) => Promise<void>
  /**
   * Returns all processes that descend from the browser's first, by ancestry alone: a mark in an environment can be
   * copied.
   */
  look: (browser: number) => Promise<number[]>
}

type Stat = { parent: number; startedAt: string }

function browserTrees(): BrowserTrees {
  const holders = new Map<number, { pid: number; startedAt: string }>()
  return {
    known: async (browser) => {
      const holder = holders.get(browser)
      if (holder === undefined) return null
      const now = await readStat(holder.pid)
      return now?.startedAt === holder.startedAt ? holder.pid : null
    },
    learn: async (browser, pid) => {
      const stat = await readStat(pid)
      if (stat) holders.set(browser, { pid, startedAt: stat.startedAt })
    },
    look: async (browser) => descendants(browser, await readParents()),
  }
}

async function readParents(): Promise<Map<number, number>> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const stats = await Promise.all(pids.map(async (pid) => [pid, await readStat(pid)] as const))
  return new Map(stats.flatMap(([pid, stat]) => (stat ? [[pid, stat.parent] as const] : [])))
}

/** Null = it has ended. */
async function readStat(pid: number): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  if (text === '') return null
  // The program's name is in parentheses and may contain anything; numbers follow the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), startedAt: fields[19] ?? '' }
}

function descendants(root: number, parents: ReadonlyMap<number, number>): number[] {
  const tree = new Set([root])
  for (let grew = true; grew; ) {
    const before = tree.size
    for (const [pid, parent] of parents) if (tree.has(parent)) tree.add(pid)
    grew = tree.size > before
  }
  return [...tree]
}
