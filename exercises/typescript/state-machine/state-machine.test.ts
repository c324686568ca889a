import { describe, it, expect } from '@jest/globals'
import { createMachine, type Machine } from './state-machine.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<T extends true>(): T | void {}
/** Checked by the compiler, never executed. */
function compileOnly(_code: () => unknown): void {}

interface Job {
  attempts: number
  note: string
}

type JobEvent =
  | { type: 'start' }
  | { type: 'fail'; note: string; fatal?: boolean }
  | { type: 'note'; note: string }
  | { type: 'restart' }
  | { type: 'finish' }

/** A machine that writes down what it calls, and what it shows while it does. */
function createJob(log: string[] = []) {
  const show = (what: string, context: Job) => {
    const shown = job ? `${job.state}:${job.context.attempts}` : 'none'
    log.push(`${what} ${context.attempts} shows ${shown}`)
  }
  let job: Machine<'idle' | 'running' | 'failed' | 'done', Job, JobEvent> | undefined
  job = createMachine<Job, JobEvent>()({
    initial: 'idle',
    context: { attempts: 0, note: '' },
    states: {
      idle: {
        entry: (context) => show('enter idle', context),
        exit: (context) => show('leave idle', context),
        on: {
          start: {
            to: 'running',
            update: (context) => {
              show('update', context)
              return { ...context, attempts: context.attempts + 1 }
            },
          },
          note: { update: (context, event) => ({ ...context, note: event.note }) },
        },
      },
      running: {
        entry: (context) => show('enter running', context),
        exit: (context) => show('leave running', context),
        on: {
          fail: [
            {
              to: 'failed',
              when: (context, event) => {
                log.push(`fatal? ${event.note}`)
                return event.fatal === true || context.attempts > 2
              },
            },
            {
              to: 'idle',
              when: (_context, event) => {
                log.push(`named? ${event.note}`)
                return event.note !== ''
              },
              update: (context, event) => ({ ...context, note: event.note }),
            },
          ],
          restart: {
            to: 'running',
            update: (context) => ({ ...context, attempts: context.attempts + 1 }),
          },
          finish: { to: 'done' },
        },
      },
      failed: { on: { restart: [] } },
      done: {},
    },
  })
  return job
}

describe('sending', () => {
  it('moves to the target with the updated context', () => {
    const job = createJob()
    expect(job.state).toBe('idle')
    const result = job.send({ type: 'start' })
    expect(result).toEqual({ ok: true, state: 'running', context: { attempts: 1, note: '' } })
    expect(job.state).toBe('running')
    expect(job.context).toEqual({ attempts: 1, note: '' })
  })

  it('leaves, updates and enters in this order and shows the change only to entry', () => {
    const log: string[] = []
    const job = createJob(log)
    expect(log.splice(0)).toEqual(['enter idle 0 shows none'])
    job.send({ type: 'start' })
    expect(log).toEqual([
      'leave idle 0 shows idle:0',
      'update 0 shows idle:0',
      'enter running 1 shows running:1',
    ])
  })

  it('leaves and enters a state that is its own target', () => {
    const log: string[] = []
    const job = createJob(log)
    job.send({ type: 'start' })
    log.length = 0
    expect(job.send({ type: 'restart' }).ok).toBe(true)
    expect(log).toEqual(['leave running 1 shows running:1', 'enter running 2 shows running:2'])
  })

  it('stays in the state without a target', () => {
    const log: string[] = []
    const job = createJob(log)
    log.length = 0
    const result = job.send({ type: 'note', note: 'later' })
    expect(result).toEqual({ ok: true, state: 'idle', context: { attempts: 0, note: 'later' } })
    expect(log).toEqual([])
  })

  it('keeps the same context object without an update', () => {
    const job = createJob()
    job.send({ type: 'start' })
    const before = job.context
    job.send({ type: 'finish' })
    expect(job.state).toBe('done')
    expect(job.context).toBe(before)
  })

  it('takes the first transition that its guard allows and asks no further guard', () => {
    const log: string[] = []
    const job = createJob(log)
    job.send({ type: 'start' })
    log.length = 0
    expect(job.send({ type: 'fail', note: 'disk', fatal: true }).state).toBe('failed')
    expect(log[0]).toBe('fatal? disk')
    expect(log.filter((line) => line.startsWith('named?'))).toEqual([])

    const other = createJob()
    other.send({ type: 'start' })
    other.send({ type: 'fail', note: 'net' })
    expect(other.state).toBe('idle')
    expect(other.context).toEqual({ attempts: 1, note: 'net' })
  })

  it('keeps machines of one definition function apart', () => {
    const first = createJob()
    const second = createJob()
    first.send({ type: 'start' })
    expect(second.state).toBe('idle')
    expect(second.context.attempts).toBe(0)
  })
})

describe('refusals', () => {
  it('give a reason and change nothing when the state does not handle the event', () => {
    const log: string[] = []
    const job = createJob(log)
    const context = job.context
    log.length = 0
    const result = job.send({ type: 'finish' })
    expect(result).toEqual({ ok: false, state: 'idle', reason: 'unhandled' })
    expect(job.state).toBe('idle')
    expect(job.context).toBe(context)
    expect(log).toEqual([])
  })

  it('say unhandled for a state without handlers and for an empty list', () => {
    const job = createJob()
    job.send({ type: 'start' })
    job.send({ type: 'fail', note: '', fatal: true })
    expect(job.send({ type: 'restart' })).toEqual({
      ok: false,
      state: 'failed',
      reason: 'unhandled',
    })
    const done = createJob()
    done.send({ type: 'start' })
    done.send({ type: 'finish' })
    expect(done.send({ type: 'start' })).toEqual({ ok: false, state: 'done', reason: 'unhandled' })
  })

  it('say guarded when every guard refuses', () => {
    const log: string[] = []
    const job = createJob(log)
    job.send({ type: 'start' })
    log.length = 0
    const result = job.send({ type: 'fail', note: '' })
    expect(result).toEqual({ ok: false, state: 'running', reason: 'guarded' })
    expect(log).toEqual(['fatal? ', 'named? '])
  })

  it('are not fooled by names that every object has', () => {
    type Odd = { type: 'constructor' } | { type: 'toString' } | { type: '__proto__' }
    const machine = createMachine<null, Odd>()({
      initial: 'only',
      context: null,
      states: { only: { on: {} } },
    })
    const refused = { ok: false, state: 'only', reason: 'unhandled' }
    expect(machine.send({ type: 'constructor' })).toEqual(refused)
    expect(machine.send({ type: 'toString' })).toEqual(refused)
    expect(machine.send({ type: '__proto__' })).toEqual(refused)
    expect(machine.can({ type: 'constructor' })).toBe(false)
  })
})

type PingEvent = { type: 'ping' } | { type: 'pong' }

/** Calls `hook` from every place that a definition has. */
function createPing(hook: (place: string) => void) {
  return createMachine<number, PingEvent>()({
    initial: 'a',
    context: 0,
    states: {
      a: {
        exit: () => hook('exit'),
        on: {
          ping: {
            to: 'b',
            when: () => {
              hook('when')
              return true
            },
            update: (count) => {
              hook('update')
              return count + 1
            },
          },
          pong: { update: (count) => count + 100 },
        },
      },
      b: { entry: () => hook('entry'), on: { pong: { to: 'a' } } },
    },
  })
}

describe('re-entrancy', () => {
  it('refuses an event sent while another one is handled', () => {
    const results: unknown[] = []
    const machine = createPing((place) => {
      results.push([place, machine.send({ type: 'pong' }), machine.can({ type: 'pong' })])
    })
    expect(machine.send({ type: 'ping' })).toEqual({ ok: true, state: 'b', context: 1 })
    expect(results).toEqual([
      ['when', { ok: false, state: 'a', reason: 'busy' }, false],
      ['exit', { ok: false, state: 'a', reason: 'busy' }, false],
      ['update', { ok: false, state: 'a', reason: 'busy' }, false],
      ['entry', { ok: false, state: 'b', reason: 'busy' }, false],
    ])
  })

  it('does not keep a refused event for later', () => {
    const machine = createPing(() => void machine.send({ type: 'pong' }))
    machine.send({ type: 'ping' })
    expect(machine.state).toBe('b')
    expect(machine.context).toBe(1)
    expect(machine.send({ type: 'pong' })).toEqual({ ok: true, state: 'a', context: 1 })
  })

  it('ends with a refusal as well', () => {
    const machine = createPing(() => {})
    machine.send({ type: 'ping' })
    expect(machine.send({ type: 'ping' })).toEqual({ ok: false, state: 'b', reason: 'unhandled' })
    expect(machine.send({ type: 'pong' }).ok).toBe(true)
  })
})

describe('errors', () => {
  it('from a guard, exit or update leave the machine as it was', () => {
    for (const place of ['when', 'exit', 'update']) {
      let armed = true
      const machine = createPing((where) => {
        if (armed && where === place) throw new Error(`from ${place}`)
      })
      expect(() => machine.send({ type: 'ping' })).toThrow(`from ${place}`)
      expect([machine.state, machine.context]).toEqual(['a', 0])
      armed = false
      expect(machine.send({ type: 'ping' })).toEqual({ ok: true, state: 'b', context: 1 })
    }
  })

  it('from an entry come after the transition has been made', () => {
    const machine = createPing((where) => {
      if (where === 'entry') throw new Error('no entry')
    })
    expect(() => machine.send({ type: 'ping' })).toThrow('no entry')
    expect([machine.state, machine.context]).toEqual(['b', 1])
    expect(machine.send({ type: 'pong' })).toEqual({ ok: true, state: 'a', context: 1 })
  })
})

describe('can', () => {
  it('answers for the current state and its guards', () => {
    const job = createJob()
    expect(job.can({ type: 'start' })).toBe(true)
    expect(job.can({ type: 'finish' })).toBe(false)
    job.send({ type: 'start' })
    expect(job.can({ type: 'start' })).toBe(false)
    expect(job.can({ type: 'fail', note: '' })).toBe(false)
    expect(job.can({ type: 'fail', note: 'x' })).toBe(true)
  })

  it('calls guards and nothing else', () => {
    const places: string[] = []
    const machine = createPing((place) => void places.push(place))
    expect(machine.can({ type: 'ping' })).toBe(true)
    expect(places).toEqual(['when'])
    expect([machine.state, machine.context]).toEqual(['a', 0])
  })

  it('does not make the machine busy', () => {
    let results: unknown[] = []
    const machine = createPing((place) => {
      if (place === 'when' && results.length === 0) results = [machine.send({ type: 'pong' })]
    })
    machine.can({ type: 'ping' })
    expect(results).toEqual([{ ok: true, state: 'a', context: 100 }])
  })
})

describe('types', () => {
  it('infer the states and keep context and events', () => {
    const job = createJob()
    const machine = createMachine<Job, JobEvent>()({
      initial: 'one',
      context: { attempts: 0, note: '' },
      states: { one: { on: { start: { to: 'two' } } }, two: {} },
    })
    expectType<Equal<typeof machine.state, 'one' | 'two'>>()
    expectType<Equal<typeof machine.context, Job>>()
    expectType<Equal<Parameters<typeof machine.send>, [event: JobEvent]>>()
    expectType<Equal<Parameters<typeof machine.can>, [event: JobEvent]>>()
    const result = machine.send({ type: 'start' })
    expectType<Equal<typeof result.state, 'one' | 'two'>>()
    if (result.ok) expectType<Equal<typeof result.context, Job>>()
    else expectType<Equal<typeof result.reason, 'unhandled' | 'guarded' | 'busy'>>()
    compileOnly(() => {
      // @ts-expect-error a result has no reason before it is known to be a failure
      result.reason
      // @ts-expect-error the state cannot be assigned
      job.state = 'done'
      // @ts-expect-error the context cannot be assigned
      job.context = { attempts: 0, note: '' }
    })
    expect(result.ok).toBe(true)
  })

  it('know the names of the states in a definition', () => {
    const create = createMachine<number, PingEvent>()
    compileOnly(() => [
      // @ts-expect-error the initial state does not exist
      create({ initial: 'c', context: 0, states: { a: {}, b: {} } }),
      // @ts-expect-error the target does not exist
      create({ initial: 'a', context: 0, states: { a: { on: { ping: { to: 'c' } } }, b: {} } }),
      // @ts-expect-error the target of the second transition does not exist
      create({ initial: 'a', context: 0, states: { a: { on: { ping: [{}, { to: 'c' }] } } } }),
    ])
    expect(create({ initial: 'a', context: 7, states: { a: {} } }).context).toBe(7)
  })

  it('know the events in a definition', () => {
    const create = createMachine<Job, JobEvent>()
    const context = { attempts: 0, note: '' }
    const machine = create({
      initial: 'a',
      context,
      states: {
        a: {
          on: {
            fail: {
              when: (known, event) => {
                expectType<Equal<typeof known, Job>>()
                expectType<
                  Equal<typeof event, { type: 'fail'; note: string; fatal?: boolean }>
                >()
                return true
              },
            },
            start: [
              {
                update: (known, event) => {
                  expectType<Equal<typeof event, { type: 'start' }>>()
                  return known
                },
              },
            ],
          },
        },
      },
    })
    const initial = 'a'
    compileOnly(() => [
      // @ts-expect-error there is no such event
      create({ initial, context, states: { a: { on: { stop: { to: 'a' } } } } }),
      // @ts-expect-error a start event has no note
      create({ initial, context, states: { a: { on: { start: { when: (_, e) => !e.note } } } } }),
      // @ts-expect-error the new context is not complete
      create({ initial, context, states: { a: { on: { start: { update: () => ({}) } } } } }),
      // @ts-expect-error the initial context is not complete
      create({ initial, context: { attempts: 0 }, states: { a: {} } }),
    ])
    expect(machine.send({ type: 'fail', note: 'x' }).ok).toBe(true)
  })

  it('accept only complete events', () => {
    const job = createJob()
    compileOnly(() => [
      // @ts-expect-error there is no such event
      job.send({ type: 'stop' }),
      // @ts-expect-error the note is missing
      job.send({ type: 'fail' }),
      // @ts-expect-error the note is not a text
      job.send({ type: 'note', note: 1 }),
      // @ts-expect-error a start event has no note
      job.send({ type: 'start', note: '' }),
      // @ts-expect-error there is no such event
      job.can({ type: 'stop' }),
    ])
    expect(job.can({ type: 'note', note: '' })).toBe(true)
  })
})
