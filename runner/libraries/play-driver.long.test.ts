import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TracedAction } from '#lib/domain/record/index.ts'
import { startChromium, type TestBrowser } from '#lib/testing/factories/chromium.ts'
import { type FixtureSite, serveFixtureSite } from '#lib/testing/factories/serve-fixture-site.ts'
import { type BrowserActions, UnsupportedActionError } from './action-surface.ts'
import type { DriverStep } from './driver.ts'
import { traceActions } from './host/trace-actions.ts'
import { playDriver } from './play-driver.ts'
import { playwright } from './playwright.ts'

let site: FixtureSite
let browser: TestBrowser
let library: BrowserActions

beforeAll(async () => {
  site = await serveFixtureSite()
  browser = await startChromium()
  library = await playwright.connect({
    endpoint: browser.endpoint,
    webdriverPort: null,
    actionTimeoutMs: 1500,
    folder: '',
    signal: new AbortController().signal,
    log: () => {},
    countResult: () => {},
  })
})
beforeEach(() => {
  site.orders.length = 0
})
afterAll(async () => {
  await library.dispose()
  await browser.close()
  await site.close()
})

async function play(steps: readonly DriverStep[], maxActions = 60, actions = library) {
  const kept: TracedAction[] = []
  const { page, trace } = traceActions(
    actions,
    { actionTimeoutMs: 1500, maxActions },
    { now: () => performance.now(), keep: (action) => kept.push(action) },
  )
  const facts = { origin: site.origin, files: {}, notes: new Map<string, string>() }
  const played = await playDriver({ steps, page, facts, trace, log: () => {} })
  return { ...played, kept, names: kept.map(({ action }) => action), notes: facts.notes }
}

const openAt = (path: string): DriverStep => ({
  name: `open ${path}`,
  checkpoint: true,
  run: (page, { origin }) => page.open(origin + path),
})
const buy: DriverStep = {
  name: 'buy',
  run: async (page) => {
    await page.click({ css: '#buy', role: 'button', name: 'Buy' })
    await page.waitText('yes', { css: '#bought' })
  },
}
/** Fails the given number of times, then passes. */
const failing = (times: number, error = new Error('on purpose')): DriverStep => {
  let left = times
  return {
    name: 'failing',
    run: async () => {
      if (left-- > 0) throw error
    },
  }
}

describe('the common ladder', () => {
  it('leaves no mark when nothing goes wrong', async () => {
    const played = await play([openAt('/second')])
    expect(played).toMatchObject({ ending: 'finished', rung: null, libraryError: null })
    expect(played.firstErrorAt).toBeNull()
  })

  it('dismisses a notice before it tries a step again', async () => {
    const played = await play([openAt('/notice'), buy])
    expect(played).toMatchObject({
      ending: 'finished',
      rung: 'retry',
      libraryError: { step: 'buy', action: 'click' },
    })
    expect(played.names).toEqual(['open', 'click', 'sees', 'click', 'click', 'waitText'])
  })

  it('climbs one rung after the other, each once, and reports the highest', async () => {
    const first = await play([openAt('/second'), failing(1)])
    expect(first).toMatchObject({ ending: 'finished', rung: 'retry' })
    const second = await play([openAt('/second'), failing(2)])
    expect(second).toMatchObject({ ending: 'finished', rung: 'new-page' })
    expect(second.names).toEqual(['open', 'sees', 'newPage', 'open'])
    const third = await play([openAt('/second'), failing(3)])
    expect(third).toMatchObject({ ending: 'finished', rung: 'reconnect' })
    expect(third.names.slice(-3)).toEqual(['reconnect', 'newPage', 'open'])
    const fourth = await play([openAt('/second'), failing(4)])
    expect(fourth).toMatchObject({
      ending: 'gave-up',
      rung: 'given-up',
      libraryError: { step: 'failing', action: null, message: 'on purpose' },
    })
    expect(fourth.firstErrorAt).toBeGreaterThan(0)
  })

  it('resumes at the nearest checkpoint, not before it', async () => {
    const played = await play([openAt('/'), openAt('/second'), failing(2), openAt('/orders')])
    expect(played.kept.map(({ target }) => target)).toEqual([
      `${site.origin}/`,
      `${site.origin}/second`,
      'button “Dismiss notice”',
      null,
      `${site.origin}/second`,
      `${site.origin}/orders`,
    ])
  })

  it('gives every failing step its own rungs and keeps the highest', async () => {
    const played = await play([openAt('/second'), failing(2), failing(1)])
    expect(played).toMatchObject({ ending: 'finished', rung: 'new-page' })
  })

  it('ends at once at an unsupported action', async () => {
    const cannot = new UnsupportedActionError('upload', 'it has no files')
    const played = await play([openAt('/second'), failing(1, cannot)])
    expect(played).toMatchObject({ ending: 'unsupported', rung: null })
    expect(played.names).toEqual(['open'])
  })

  it('ends when the actions are used up, also inside a rung', async () => {
    const played = await play([openAt('/second'), failing(2), openAt('/')], 3)
    expect(played).toMatchObject({ ending: 'out-of-actions', rung: 'new-page' })
    expect(played.kept).toHaveLength(3)
  })

  it('makes an error of an action that never comes back', async () => {
    const hanging = new Proxy(library, {
      get: (of, name: keyof BrowserActions) =>
        name === 'observe'
          ? () => new Promise(() => {})
          : (of[name] as (...args: unknown[]) => unknown).bind(of),
    })
    let looks = 0
    const look: DriverStep = {
      name: 'look',
      run: async (page) => {
        if (looks++ === 0) await page.observe()
      },
    }
    const played = await play([openAt('/second'), look], 60, hanging)
    expect(played).toMatchObject({
      ending: 'finished',
      rung: 'retry',
      libraryError: {
        step: 'look',
        action: 'observe',
        message: expect.stringContaining('6500 ms'),
      },
    })
  })
})

describe('a step that must not be done twice', () => {
  const seeOrders = async (page: BrowserActions, origin: string) => {
    await page.open(`${origin}/orders`)
    return (await page.readText({ css: '#orders' })) !== '0 orders'
  }
  const place: DriverStep = {
    name: 'place the order',
    run: async (page) => {
      await page.click({ css: '#place', role: 'button', name: 'Place order' })
      await page.waitText('Thank you', { css: '#placed' })
    },
  }
  const read: DriverStep = {
    name: 'read it',
    run: async (page, { notes }) => {
      notes.set('said', await page.readText({ css: '#orders' }))
    },
  }

  it('is not done again when the change was made and its answer lost', async () => {
    const done = { ...place, done: (page: BrowserActions) => seeOrders(page, site.origin) }
    const played = await play([openAt('/checkout'), done, read])
    expect(played).toMatchObject({ ending: 'finished', rung: 'retry' })
    expect(site.orders).toHaveLength(1)
    expect(played.notes.get('said')).toBe('1 orders')
  })

  it('is done twice and more by a driver that does not look: the ladder hides nothing', async () => {
    const played = await play([openAt('/checkout'), place, read])
    expect(played.ending).toBe('gave-up')
    expect(site.orders.length).toBeGreaterThan(1)
  })

  it('is taken up at the checkpoint when it has not happened, wherever looking led', async () => {
    let tries = 0
    const late: DriverStep = {
      ...place,
      run: async (page, facts) => {
        if (tries++ === 0) throw new Error('before anything')
        await place.run(page, facts).catch(() => {})
        await seeOrders(page, facts.origin)
      },
      done: (page) => seeOrders(page, site.origin),
    }
    const played = await play([openAt('/checkout'), late, read])
    expect(played).toMatchObject({ ending: 'finished', rung: 'retry' })
    expect(site.orders).toHaveLength(1)
  })
})
