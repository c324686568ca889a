import { readdir, readFile } from 'node:fs/promises'

/** The processes of browsers, by the first process of each. */
export type BrowserTrees = {
  /** The process that held a socket of this browser before, if it is still the same one. */
  known: (browser: number) => Promise<number | null>
  learn: (browser: number, pid: number) => Promise<void>
  /** All processes that descend from the browser's first, by ancestry alone: a mark in an environment can be copied. */
  look: (browser: number) => Promise<number[]>
}

type Stat = { parent: number; startedAt: string }

export function browserTrees(): BrowserTrees {
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
  // The program's name stands in brackets and may hold anything; what follows the last one are numbers.
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
