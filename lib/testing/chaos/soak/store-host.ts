import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Cluster } from './cluster.ts'

const settingsSchema = z.record(z.string(), z.string())

/** The evidence store on its host. */
export type StoreHost = {
  /** Environment of its clients. */
  settings: Record<string, string>
  /** Sets the share of requests that fail, 0–1. */
  fail: (share: number) => void
  stop: () => Promise<void>
}

export async function startStore(cluster: Cluster): Promise<StoreHost> {
  const script = 'lib/testing/chaos/soak/store-process.mjs'
  const words = [...cluster.network.on('store'), process.execPath, script]
  const [program = '', ...args] = [...words, cluster.addressOf('store')]
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {})
  const gone = once(child, 'exit')
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    settings: settingsSchema.parse(JSON.parse(line)),
    fail: (share) => child.stdin.write(`${share}\n`),
    stop: async () => {
      child.stdin.end()
      await gone
    },
  }
}
