import { describe, expect, it } from '@jest/globals'
import { type Occurrence, TypedEventEmitter } from './typed-event-emitter.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_ extends true>(): void {}

interface ChatEvents {
  message: [text: string, sender: string]
  renamed: [name: string]
  closed: []
}

type Letters = { a: []; b: [] }

function setUp() {
  const calls: string[] = []
  const emitter = new TypedEventEmitter<Letters>()
  const log = (name: string) => () => {
    calls.push(name)
  }
  return { calls, emitter, log }
}

function thrownBy(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return 'nothing was thrown'
}

describe('listeners', () => {
  it('are called with the arguments of their event', () => {
    const chat = new TypedEventEmitter<ChatEvents>()
    const received: unknown[] = []
    chat.on('message', (...args) => received.push(args))
    chat.on('renamed', (...args) => received.push(args))
    expect(chat.emit('message', 'hello', 'Ada')).toBe(1)
    expect(received).toEqual([['hello', 'Ada']])
  })

  it('are called in the order of registration', () => {
    const { calls, emitter, log } = setUp()
    emitter.on('a', log('1'))
    emitter.once('a', log('2'))
    emitter.on('a', log('3'))
    expect(emitter.emit('a')).toBe(3)
    expect(emitter.emit('a')).toBe(2)
    expect(calls).toEqual(['1', '2', '3', '1', '3'])
  })

  it('emit returns 0 when nobody listens', () => {
    const { emitter, log } = setUp()
    emitter.on('b', log('b'))
    expect(emitter.emit('a')).toBe(0)
  })

  it('belong to one emitter only', () => {
    const first = setUp()
    const second = setUp()
    first.emitter.on('a', first.log('first'))
    expect(second.emitter.emit('a')).toBe(0)
    expect(first.calls).toEqual([])
  })

  it('are called once for each registration of the same function', () => {
    const { calls, emitter, log } = setUp()
    const listener = log('x')
    emitter.on('a', listener)
    emitter.on('a', listener)
    expect(emitter.listenerCount('a')).toBe(2)
    expect(emitter.emit('a')).toBe(2)
    expect(calls).toEqual(['x', 'x'])
  })
})

describe('removing', () => {
  it('the returned function removes exactly its own registration', () => {
    const { calls, emitter, log } = setUp()
    const listener = log('x')
    const removeFirst = emitter.on('a', listener)
    emitter.on('a', log('y'))
    emitter.on('a', listener)
    removeFirst()
    removeFirst()
    expect(emitter.listenerCount('a')).toBe(2)
    emitter.emit('a')
    expect(calls).toEqual(['y', 'x'])
  })

  it('off removes the most recent registration of the function', () => {
    const { calls, emitter, log } = setUp()
    const listener = log('x')
    emitter.on('a', listener)
    emitter.on('a', log('y'))
    emitter.on('a', listener)
    expect(emitter.off('a', listener)).toBe(true)
    emitter.emit('a')
    expect(calls).toEqual(['x', 'y'])
    expect(emitter.off('a', listener)).toBe(true)
    expect(emitter.off('a', listener)).toBe(false)
  })

  it('off looks at one event only', () => {
    const { calls, emitter, log } = setUp()
    const listener = log('x')
    emitter.on('a', listener)
    expect(emitter.off('b', listener)).toBe(false)
    emitter.emit('a')
    expect(calls).toEqual(['x'])
  })

  it('off and the returned function work for once as well', () => {
    const { calls, emitter, log } = setUp()
    const listener = log('x')
    emitter.once('a', listener)
    expect(emitter.off('a', listener)).toBe(true)
    emitter.once('a', listener)()
    expect(emitter.listenerCount('a')).toBe(0)
    emitter.emit('a')
    expect(calls).toEqual([])
  })

  it('a remover that comes too late does not touch a later registration', () => {
    const { calls, emitter, log } = setUp()
    const listener = log('x')
    const remove = emitter.once('a', listener)
    emitter.emit('a')
    emitter.on('a', listener)
    remove()
    emitter.emit('a')
    expect(calls).toEqual(['x', 'x'])
  })
})

describe('changes during an emit', () => {
  it('a listener that removes itself does not make the next one be skipped', () => {
    const { calls, emitter, log } = setUp()
    const remove = emitter.on('a', () => {
      calls.push('1')
      remove()
    })
    emitter.on('a', log('2'))
    emitter.on('a', log('3'))
    expect(emitter.emit('a')).toBe(3)
    expect(calls).toEqual(['1', '2', '3'])
  })

  it('a listener removed before its turn is not called', () => {
    const { calls, emitter, log } = setUp()
    const third = log('3')
    emitter.on('a', () => {
      calls.push('1')
      emitter.off('a', third)
      removeAny()
    })
    emitter.on('a', log('2'))
    emitter.on('a', third)
    const removeAny = emitter.onAny(log('any'))
    expect(emitter.emit('a')).toBe(2)
    expect(calls).toEqual(['1', '2'])
  })

  it('a listener added during an emit is called from the next emit on', () => {
    const { calls, emitter, log } = setUp()
    emitter.once('a', () => {
      calls.push('1')
      emitter.on('a', log('late'))
      emitter.onAny(log('late any'))
    })
    expect(emitter.emit('a')).toBe(1)
    expect(calls).toEqual(['1'])
    expect(emitter.emit('a')).toBe(2)
    expect(calls).toEqual(['1', 'late', 'late any'])
  })

  it('once is not called again by a nested emit', () => {
    const { calls, emitter, log } = setUp()
    emitter.once('a', () => {
      calls.push('once')
      if (calls.length < 5) emitter.emit('a')
    })
    emitter.on('a', log('on'))
    emitter.emit('a')
    expect(calls).toEqual(['once', 'on', 'on'])
    expect(emitter.listenerCount('a')).toBe(1)
  })

  it('once is called a single time when an earlier listener emits the event again', () => {
    const { calls, emitter, log } = setUp()
    emitter.on('a', () => {
      calls.push('on')
      if (calls.length === 1) emitter.emit('a')
    })
    emitter.once('a', log('once'))
    expect(emitter.emit('a')).toBe(1)
    expect(calls).toEqual(['on', 'on', 'once'])
  })
})

describe('onAny', () => {
  it('hears every event after the listeners of that event', () => {
    const chat = new TypedEventEmitter<ChatEvents>()
    const received: unknown[] = []
    chat.onAny((occurrence) => received.push(occurrence))
    chat.on('message', () => received.push('specific'))
    expect(chat.emit('message', 'hi', 'Ada')).toBe(2)
    expect(chat.emit('closed')).toBe(1)
    expect(received).toEqual([
      'specific',
      { event: 'message', args: ['hi', 'Ada'] },
      { event: 'closed', args: [] },
    ])
  })

  it('can be registered twice and removed one by one', () => {
    const { calls, emitter, log } = setUp()
    const listener = log('any')
    const remove = emitter.onAny(listener)
    emitter.onAny(listener)
    remove()
    remove()
    emitter.emit('a')
    expect(calls).toEqual(['any'])
  })

  it('is not counted as a listener of an event and not removed by off', () => {
    const { calls, emitter, log } = setUp()
    const listener = log('any')
    emitter.onAny(listener)
    expect(emitter.listenerCount('a')).toBe(0)
    expect(emitter.off('a', listener)).toBe(false)
    emitter.emit('a')
    expect(calls).toEqual(['any'])
  })
})

describe('errors', () => {
  it('a listener that throws does not stop the others and its error is thrown at the end', () => {
    const { calls, emitter, log } = setUp()
    const error = { reason: 'not even an Error' }
    emitter.on('a', () => {
      throw error
    })
    emitter.on('a', log('2'))
    emitter.onAny(log('any'))
    expect(thrownBy(() => emitter.emit('a'))).toBe(error)
    expect(calls).toEqual(['2', 'any'])
    expect(emitter.listenerCount('a')).toBe(2)
  })

  it('several errors are thrown together in the order of the calls', () => {
    const { calls, emitter, log } = setUp()
    const errors = [new Error('any'), undefined, new Error('second')]
    emitter.onAny(() => {
      throw errors[0]
    })
    emitter.on('a', () => {
      throw errors[1]
    })
    emitter.on('a', log('between'))
    emitter.on('a', () => {
      throw errors[2]
    })
    const thrown = thrownBy(() => emitter.emit('a'))
    expect(thrown).toBeInstanceOf(AggregateError)
    expect((thrown as AggregateError).errors).toEqual([errors[1], errors[2], errors[0]])
    expect(calls).toEqual(['between'])
  })

  it('a thrown undefined is an error too', () => {
    const { emitter } = setUp()
    emitter.on('a', () => {
      throw undefined
    })
    expect(thrownBy(() => emitter.emit('a'))).toBeUndefined()
  })

  it('a once listener that throws is gone afterwards', () => {
    const { calls, emitter, log } = setUp()
    emitter.once('a', () => {
      throw new Error('once')
    })
    emitter.on('a', log('on'))
    expect(() => emitter.emit('a')).toThrow('once')
    expect(emitter.emit('a')).toBe(1)
    expect(calls).toEqual(['on', 'on'])
  })
})

describe('types', () => {
  it('infers the parameters of a listener', () => {
    const chat = new TypedEventEmitter<ChatEvents>()
    const remove = chat.on('message', (text, sender) => {
      expectType<Equal<typeof text, string>>()
      expectType<Equal<typeof sender, string>>()
    })
    chat.once('renamed', (...args) => {
      expectType<Equal<typeof args, [name: string]>>()
    })
    chat.on('message', (text) => text.length)
    const removed = chat.off('closed', () => {})
    const called = chat.emit('closed')
    expectType<Equal<typeof remove, () => void>>()
    expectType<Equal<typeof removed, boolean>>()
    expectType<Equal<typeof called, number>>()
    expect(chat.listenerCount('message')).toBe(2)
  })

  it('rejects unknown events and wrong arguments', () => {
    const chat = new TypedEventEmitter<ChatEvents>()
    const mistakes = () => {
      // @ts-expect-error there is no such event
      chat.on('missing', () => {})
      // @ts-expect-error there is no such event
      chat.listenerCount('missing')
      // @ts-expect-error the text is a string
      chat.on('message', (text: number) => text)
      // @ts-expect-error the event carries one argument
      chat.once('renamed', (name: string, extra: string) => name + extra)
      // @ts-expect-error the name is a string
      chat.off('renamed', (name: number) => name)
      // @ts-expect-error the sender is missing
      chat.emit('message', 'hello')
      // @ts-expect-error the sender is not a number
      chat.emit('message', 'hello', 7)
      // @ts-expect-error the event carries no arguments
      chat.emit('closed', 'now')
    }
    expect(typeof mistakes).toBe('function')
  })

  it('Occurrence is the union of all events', () => {
    expectType<
      Equal<
        Occurrence<ChatEvents>,
        | { event: 'message'; args: [text: string, sender: string] }
        | { event: 'renamed'; args: [name: string] }
        | { event: 'closed'; args: [] }
      >
    >()
    expectType<
      Equal<Occurrence<{ tick: [time: number] }>, { event: 'tick'; args: [time: number] }>
    >()
    const chat = new TypedEventEmitter<ChatEvents>()
    const names: string[] = []
    chat.onAny((occurrence) => {
      if (occurrence.event === 'renamed') {
        expectType<Equal<typeof occurrence.args, [name: string]>>()
        names.push(occurrence.args[0])
      }
    })
    chat.emit('renamed', 'Grace')
    expect(names).toEqual(['Grace'])
  })

  it('accepts only descriptions that map every event to its arguments', () => {
    // @ts-expect-error a string is not a list of arguments
    type Broken = TypedEventEmitter<{ broken: string }>
    type Sound = TypedEventEmitter<{ list: number[]; pair: [number, string]; none: [] }>
    const numbers: number[] = []
    const emitter: Sound = new TypedEventEmitter()
    emitter.on('list', (...values) => numbers.push(...values))
    emitter.emit('list', 1, 2, 3)
    expect(numbers).toEqual([1, 2, 3])
    expectType<Equal<Broken extends object ? true : false, true>>()
  })
})
