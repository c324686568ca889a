import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { countOf } from '#lib/domain/record/index.ts'
import { AppError } from '#lib/errors.ts'
import { canonicalAddress } from './canonical-address.ts'
import { listLinks } from './rewrite-page.ts'
import { fileOf, isCopied } from './site-address.ts'

export type CrawlOptions = {
  /** Where the private server listens. */
  url: string
  /** The address by which the site knows itself. */
  publicUrl: string
  seeds: readonly string[]
  /** Folder for what was answered, each at its place in the copy. */
  to: string
  mostFiles: number
  mostBytes: number
  /** Episodes with their pages and files, in the order in which the site names them. */
  mostEpisodes: number
  /** Evidence files of an episode that the API serves, by role. */
  rolesOf: (episodeId: string) => readonly string[]
  onProgress: (done: number, waiting: number) => void
}

/** A page that was answered: its policy goes into its file. */
export type CopiedFile = { file: string; isPage: boolean; policy: string }
export type Crawled = {
  files: ReadonlyMap<string, CopiedFile>
  /** Addresses that only lead to another. */
  moved: ReadonlyMap<string, string>
  /** Episodes that the site names and the limit left out. */
  episodesLeftOut: number
  bytes: number
}

const AT_ONCE = 4

/**
 * Asks the site for everything that its pages link to, as a visitor who is not signed in, breadth first: the order is
 * that of the links, so that limits leave out the same each time.
 */
export async function crawlSite(options: CrawlOptions): Promise<Crawled> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const crawl = new Crawl(options, agent)
  try {
    return await crawl.run()
  } finally {
    agent.destroy()
  }
}

class Crawl {
  readonly #options: CrawlOptions
  readonly #agent: Agent
  readonly #origins: readonly string[]
  readonly #files = new Map<string, CopiedFile>()
  readonly #moved = new Map<string, string>()
  readonly #seen = new Set<string>()
  readonly #paths = new Map<string, string>()
  readonly #episodes = new Set<string>()
  readonly #leftOut = new Set<string>()
  #bytes = 0

  constructor(options: CrawlOptions, agent: Agent) {
    this.#options = options
    this.#agent = agent
    this.#origins = [new URL(options.publicUrl).origin]
  }

  async run(): Promise<Crawled> {
    let level = this.#select(this.#options.seeds)
    while (level.length > 0) {
      const found = level.flatMap((address) => this.#filesOf(address))
      for (let start = 0; start < level.length; start += AT_ONCE) {
        const asked = level.slice(start, start + AT_ONCE)
        const links = await Promise.all(asked.map((address) => this.#copy(address)))
        found.push(...links.flat())
        this.#options.onProgress(this.#files.size, level.length - start + found.length)
      }
      level = this.#select(found)
    }
    return {
      files: this.#files,
      moved: this.#moved,
      episodesLeftOut: this.#leftOut.size,
      bytes: this.#bytes,
    }
  }

  /** Addresses of the copy that were not requested yet. */
  #select(addresses: readonly string[]): string[] {
    return addresses.filter((address) => {
      if (this.#seen.has(address) || !isCopied(address)) return false
      if (!this.#takesEpisode(address)) return false
      this.#seen.add(address)
      return true
    })
  }

  /** No page links to all files of its episode: scripts ask for them, and who checks the evidence. */
  #filesOf(address: string): string[] {
    const id = /^\/episodes\/([^/?]+)$/.exec(address)?.[1]
    if (id === undefined) return []
    const api = `/api/v1/episodes/${id}`
    return [api, ...this.#options.rolesOf(id).map((role) => `${api}/logs/raw?role=${role}`)]
  }

  #takesEpisode(address: string): boolean {
    const id = /\/episodes\/([^/?]+)/.exec(address)?.[1]
    if (id === undefined || this.#episodes.has(id)) return true
    if (this.#episodes.size >= this.#options.mostEpisodes) {
      this.#leftOut.add(id)
      return false
    }
    this.#episodes.add(id)
    return true
  }

  async #copy(address: string): Promise<string[]> {
    const { status, type, body, location, policy } = await this.#ask(address)
    if (status >= 300 && status < 400) return this.#follow(address, location)
    if (status >= 500)
      throw new AppError('conflict', `nothing was exported: ${address} answered ${status}`)
    if (status !== 200) return []
    const file = fileOf(address, type)
    const other = this.#paths.get(file.toLowerCase())
    if (other !== undefined)
      throw new AppError('conflict', `nothing was exported: ${address} and ${other} are one file`)
    this.#paths.set(file.toLowerCase(), address)
    this.#bytes += body.length
    this.#refuseTooMuch()
    const isPage = file.endsWith('.html')
    this.#files.set(address, { file, isPage, policy: isPage ? policy : '' })
    const path = join(this.#options.to, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, body)
    return isPage ? listLinks(body.toString('utf8'), { address, origins: this.#origins }) : []
  }

  #follow(address: string, location: string | undefined): string[] {
    const target = canonicalAddress(location ?? '', address, this.#origins)
    if (target === null || !isCopied(target)) return []
    this.#moved.set(address, target)
    return [target]
  }

  #refuseTooMuch(): void {
    const { mostFiles, mostBytes } = this.#options
    const refuse = (what: string, option: string) => {
      const message = `nothing was exported: the copy would have more than ${what}; raise ${option}, or lower --episodes`
      throw new AppError('invalid-request', message)
    }
    if (this.#files.size >= mostFiles) refuse(countOf(mostFiles, 'file'), '--max-files')
    if (this.#bytes > mostBytes) refuse(`${Math.round(mostBytes / 1e6)} MB`, '--max-size')
  }

  async #ask(address: string): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      // Too busy for the moment, or a connection that the server was just closing.
      const answer = await askOnce(address, this.#options, this.#agent).catch((error: unknown) => {
        if (attempt === TRIES) throw error
        return null
      })
      if (answer && (answer.status !== 503 || attempt === TRIES)) return answer
      await pause(RETRY_MS * attempt)
    }
  }
}

const TRIES = 5
const RETRY_MS = 500
/** A page that says nothing for so long is asked for again. */
const SILENT_MS = 120_000

type Answer = {
  status: number
  type: string
  body: Buffer
  location: string | undefined
  policy: string
}

/** Requested under its public name, so that a page which names its own address names that one. */
function askOnce(address: string, { url, publicUrl }: CrawlOptions, agent: Agent): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { host: new URL(publicUrl).host, accept: '*/*' }
    const sent = request({ hostname, port, path: address, agent, headers })
    sent.setTimeout(SILENT_MS, () => sent.destroy(new Error(`${address} does not answer`)))
    sent.once('error', reject)
    sent.once('response', (response) => {
      const { statusCode = 500, headers: fields } = response
      buffer(response).then(
        (body) =>
          resolve({
            status: statusCode,
            type: fields['content-type'] ?? '',
            body,
            location: fields.location,
            policy: String(fields['content-security-policy'] ?? ''),
          }),
        reject,
      )
    })
    sent.end()
  })
}
