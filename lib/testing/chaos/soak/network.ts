import { execFile, execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PREFIX = 'pbsoak'
/** Addresses reserved for network tests (RFC 2544). */
const SUBNET = '198.18.77'
const OUTSIDE = 250

/**
 * Hosts that can reach each other only over the network: each is a network namespace, joined by a bridge in another
 * one.
 */
export class Network {
  readonly #tag = `${PREFIX}-${process.pid}`
  readonly #places = new Map<string, number>()

  /** Returns why this machine cannot provide it, as one sentence; null = it can. */
  static unavailable(): string | null {
    if (process.platform !== 'linux') return 'network namespaces are a feature of Linux'
    if (process.getuid?.() !== 0) return 'network namespaces need root'
    try {
      execFileSync('ip', ['netns', 'list'], { stdio: 'ignore' })
      return null
    } catch {
      return 'network namespaces need the command ip (package iproute2)'
    }
  }

  /** Creates the bridge, and a route to it from outside; removes what killed processes left. */
  async open(): Promise<void> {
    await sweep()
    const hub = this.#name('hub')
    await ip('netns', 'add', hub)
    await inside(hub, 'link', 'add', 'br0', 'type', 'bridge')
    await inside(hub, 'link', 'set', 'br0', 'up')
    await this.#plug(this.#outside, 'outside')
    await ip('addr', 'add', `${SUBNET}.${OUTSIDE}/24`, 'dev', this.#outside)
    await ip('link', 'set', this.#outside, 'up')
  }

  /** Adds a host; returns its address. */
  async add(host: string): Promise<string> {
    const place = this.#places.size + 1
    this.#places.set(host, place)
    const space = this.#name(host)
    await ip('netns', 'add', space)
    const own = `e${process.pid}`
    await this.#plug(own, host)
    await ip('link', 'set', own, 'netns', space, 'name', 'eth0')
    await inside(space, 'addr', 'add', `${SUBNET}.${place}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) await inside(space, 'link', 'set', device, 'up')
    return `${SUBNET}.${place}`
  }

  /** Arguments in front of a command that make it run on `host`. */
  on(host: string): readonly string[] {
    return ['ip', 'netns', 'exec', this.#name(host)]
  }

  /** Disconnects `host`: packets are silently dropped. */
  cut(host: string): Promise<void> {
    return inside(this.#name('hub'), 'link', 'set', portOf(host), 'down')
  }

  reconnect(host: string): Promise<void> {
    return inside(this.#name('hub'), 'link', 'set', portOf(host), 'up')
  }

  /** Removes every host; the route from outside goes with the bridge. */
  async close(): Promise<void> {
    for (const host of [...this.#places.keys(), 'hub'])
      await ip('netns', 'delete', this.#name(host))
    this.#places.clear()
  }

  get #outside(): string {
    return `${PREFIX}${process.pid}`.slice(0, 15)
  }

  #name(host: string): string {
    return `${this.#tag}-${host}`
  }

  async #plug(own: string, host: string): Promise<void> {
    const hub = this.#name('hub')
    const port = portOf(host)
    await ip('link', 'add', own, 'type', 'veth', 'peer', 'name', port, 'netns', hub)
    await inside(hub, 'link', 'set', port, 'master', 'br0')
    await inside(hub, 'link', 'set', port, 'up')
  }
}

const portOf = (host: string) => `p-${host}`.slice(0, 15)

async function ip(...words: string[]): Promise<void> {
  await run('ip', words)
}

const inside = (space: string, ...words: string[]) => ip('-netns', space, ...words)

/** Removes the namespaces of soak tests whose process is gone. */
async function sweep(): Promise<void> {
  const spaces = await run('ip', ['netns', 'list'])
  for (const line of spaces.stdout.split('\n')) {
    const [space = ''] = line.split(' ')
    const pid = new RegExp(`^${PREFIX}-(\\d+)-`).exec(space)?.[1]
    if (pid !== undefined && !readdirSync('/proc').includes(pid)) await ip('netns', 'delete', space)
  }
}
