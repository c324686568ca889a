import { describe, it, expect } from '@jest/globals'
import { createHistory, type HistoryOptions } from './undo-history.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<T extends true>(): T | void {}
/** Checked by the compiler, never executed. */
function compileOnly(_code: () => unknown): void {}

/** A text with commands that need a payload, may have one, and take none. */
function createText(initial = '', options?: HistoryOptions) {
  return createHistory(
    initial,
    {
      type: (text: string, added: string) => text + added,
      erase: (text: string, count?: number) => text.slice(0, -(count ?? 1)),
      clear: () => '',
      crash: (text: string): string => {
        throw new Error(`cannot change ${text}`)
      },
    },
    options,
  )
}

/** A text whose actions of one command merge, with a clock to be moved by hand. */
function createMerging(options: HistoryOptions = {}) {
  const clock = { time: 5000 }
  const mergeKey = (name: string) => (name === 'clear' ? undefined : name)
  const history = createText('', { mergeKey, now: () => clock.time, ...options })
  const typeAt = (time: number, text: string) => {
    clock.time = time
    return history.do('type', text)
  }
  return { history, clock, typeAt }
}

/** Undoes everything and tells the states on the way. */
function undoAll(history: { state: string; undo(): boolean }): string[] {
  const states: string[] = []
  while (states.length < 200 && history.undo()) states.push(history.state)
  return states
}

describe('doing and undoing', () => {
  it('runs commands and goes back and forth', () => {
    const history = createText()
    expect(history.do('type', 'ab')).toBe('ab')
    expect(history.do('type', 'cd')).toBe('abcd')
    expect(history.undo()).toBe(true)
    expect(history.state).toBe('ab')
    expect(history.undo()).toBe(true)
    expect(history.state).toBe('')
    expect(history.redo()).toBe(true)
    expect(history.redo()).toBe(true)
    expect(history.state).toBe('abcd')
  })

  it('passes payloads only when there are some', () => {
    const history = createText('abcdef')
    expect(history.do('erase')).toBe('abcde')
    expect(history.do('erase', 3)).toBe('ab')
    expect(history.do('clear')).toBe('')
    expect(undoAll(history)).toEqual(['ab', 'abcde', 'abcdef'])
  })

  it('says when there is nothing to undo or redo', () => {
    const history = createText('x')
    expect([history.canUndo, history.canRedo]).toEqual([false, false])
    expect([history.undo(), history.redo(), history.state]).toEqual([false, false, 'x'])
    history.do('type', 'y')
    expect([history.canUndo, history.canRedo]).toEqual([true, false])
    history.undo()
    expect([history.canUndo, history.canRedo]).toEqual([false, true])
    history.redo()
    expect([history.canUndo, history.canRedo, history.redo()]).toEqual([true, false, false])
  })

  it('drops what could be redone when something new is done', () => {
    const history = createText()
    history.do('type', 'a')
    history.do('type', 'b')
    history.undo()
    history.do('type', 'c')
    expect(history.canRedo).toBe(false)
    expect(history.redo()).toBe(false)
    expect(history.state).toBe('ac')
    expect(undoAll(history)).toEqual(['a', ''])
  })

  it('gives back the very same states', () => {
    const first = { items: [1] }
    const history = createHistory(first, {
      add: (state: { items: number[] }, item: number) => ({ items: [...state.items, item] }),
    })
    const second = history.do('add', 2)
    history.undo()
    expect(history.state).toBe(first)
    history.redo()
    expect(history.state).toBe(second)
    expect(first).toEqual({ items: [1] })
  })

  it('makes no step when nothing changes', () => {
    const history = createText()
    history.do('type', 'a')
    history.do('type', 'b')
    history.undo()
    expect(history.do('type', '')).toBe('a')
    expect(history.canRedo).toBe(true)
    expect(undoAll(history)).toEqual([''])

    const number = createHistory(NaN, { set: (_state: number, value: number) => value })
    number.do('set', NaN)
    expect(number.canUndo).toBe(false)
  })

  it('changes nothing when a command throws', () => {
    const history = createText()
    history.do('type', 'a')
    history.do('type', 'b')
    history.undo()
    expect(() => history.do('crash')).toThrow('cannot change a')
    expect(history.state).toBe('a')
    expect(history.canRedo).toBe(true)
    expect(undoAll(history)).toEqual([''])
  })

  it('allows states that are undefined', () => {
    const history = createHistory<number | undefined, { set: Setter }>(undefined, {
      set: (_state, value) => value,
    })
    history.do('set', 1)
    history.do('set', undefined)
    expect([history.undo(), history.state]).toEqual([true, 1])
    expect([history.undo(), history.state]).toEqual([true, undefined])
    expect([history.redo(), history.redo(), history.state]).toEqual([true, true, undefined])
  })
})

type Setter = (state: number | undefined, value: number | undefined) => number | undefined

describe('limit', () => {
  it('keeps only the latest steps', () => {
    const history = createText('', { limit: 2 })
    for (const letter of 'abcd') history.do('type', letter)
    expect(undoAll(history)).toEqual(['abc', 'ab'])
    expect([history.redo(), history.redo(), history.redo()]).toEqual([true, true, false])
    expect(history.state).toBe('abcd')
  })

  it('is 100 by default', () => {
    const history = createText()
    for (let i = 0; i < 103; i++) history.do('type', 'x')
    const states = undoAll(history)
    expect(states.length).toBe(100)
    expect(states.at(-1)).toBe('xxx')
  })

  it('must be an integer of at least 1', () => {
    for (const limit of [0, -1, 1.5, NaN, Infinity]) {
      expect(() => createText('', { limit })).toThrow(RangeError)
    }
    const history = createText('', { limit: 1 })
    history.do('type', 'a')
    history.do('type', 'b')
    expect(undoAll(history)).toEqual(['a'])
  })
})

describe('merging', () => {
  it('does not happen without a key', () => {
    const history = createText('', { now: () => 0 })
    history.do('type', 'a')
    history.do('type', 'b')
    expect(undoAll(history)).toEqual(['a', ''])

    const { history: other } = createMerging({ mergeKey: () => undefined })
    other.do('type', 'a')
    other.do('type', 'b')
    expect(undoAll(other)).toEqual(['a', ''])
  })

  it('joins actions with the same key, and redo brings all of them back', () => {
    const { history, typeAt } = createMerging()
    typeAt(0, 'a')
    typeAt(10, 'b')
    typeAt(20, 'c')
    expect(undoAll(history)).toEqual([''])
    expect(history.redo()).toBe(true)
    expect(history.state).toBe('abc')
    expect(history.canRedo).toBe(false)
  })

  it('ends when the key changes, also when it comes back later', () => {
    const { history } = createMerging()
    history.do('type', 'abc')
    history.do('erase')
    history.do('erase')
    history.do('type', 'x')
    expect(undoAll(history)).toEqual(['a', 'abc', ''])
  })

  it('ends at an action without a key', () => {
    const { history } = createMerging()
    history.do('type', 'a')
    history.do('clear')
    history.do('type', 'b')
    expect(undoAll(history)).toEqual(['', 'a', ''])
  })

  it('allows the full time between two actions and not more', () => {
    const { history, typeAt } = createMerging({ mergeWithinMs: 500 })
    typeAt(0, 'a')
    typeAt(500, 'b')
    typeAt(1001, 'c')
    expect(undoAll(history)).toEqual(['ab', ''])

    const byDefault = createMerging()
    byDefault.typeAt(0, 'a')
    byDefault.typeAt(1000, 'b')
    byDefault.typeAt(2001, 'c')
    expect(undoAll(byDefault.history)).toEqual(['ab', ''])
  })

  it('counts the time from the action before, not from the first of the step', () => {
    const { history, typeAt } = createMerging({ mergeWithinMs: 100 })
    typeAt(0, 'a')
    typeAt(80, 'b')
    typeAt(160, 'c')
    typeAt(240, 'd')
    expect(undoAll(history)).toEqual([''])
  })

  it('does not happen after an undo or a redo', () => {
    const { history, typeAt } = createMerging()
    typeAt(0, 'a')
    history.do('clear')
    typeAt(10, 'b')
    history.undo()
    history.undo()
    typeAt(20, 'c')
    expect(undoAll(history)).toEqual(['a', ''])

    const { history: other, typeAt: otherTypeAt } = createMerging()
    otherTypeAt(0, 'a')
    other.undo()
    other.redo()
    otherTypeAt(10, 'b')
    expect(undoAll(other)).toEqual(['a', ''])
  })

  it('goes on after an undo or redo that could not move', () => {
    const { history, typeAt } = createMerging()
    typeAt(0, 'a')
    expect(history.redo()).toBe(false)
    typeAt(10, 'b')
    expect(undoAll(history)).toEqual([''])
  })

  it('overlooks actions that changed nothing', () => {
    const { history, typeAt } = createMerging({ mergeWithinMs: 100 })
    typeAt(0, 'a')
    typeAt(90, '')
    typeAt(110, 'b')
    history.do('erase', 9)
    history.do('clear')
    history.do('erase')
    expect(undoAll(history)).toEqual(['ab', 'a', ''])
  })

  it('asks for a key with the name and the payload', () => {
    const mergeKey = (name: string, payload: unknown) => `${name} ${String(payload).length}`
    const { history } = createMerging({ mergeKey })
    history.do('type', 'a')
    history.do('type', 'b')
    history.do('type', 'cc')
    history.do('clear')
    expect(undoAll(history)).toEqual(['abcc', 'ab', ''])
  })
})

describe('the key', () => {
  it('is asked for once, and only for a change outside of groups', () => {
    const asked: unknown[][] = []
    const mergeKey = (...args: unknown[]) => {
      asked.push(args)
      return 'key'
    }
    const history = createText('', { mergeKey, now: () => 0 })
    history.do('type', 'a')
    history.do('type', 'b')
    expect(asked).toEqual([
      ['type', 'a'],
      ['type', 'b'],
    ])
    history.do('type', '')
    expect(() => history.do('crash')).toThrow('cannot change ab')
    history.group(() => history.do('type', 'c'))
    history.undo()
    history.redo()
    expect(asked).toHaveLength(2)
    history.do('clear')
    expect(asked.slice(2).map(([name]) => name)).toEqual(['clear'])
  })

  it('is asked for again after a group, also one that failed', () => {
    let asked = 0
    const history = createText('', { mergeKey: () => `key ${++asked}`, now: () => 0 })
    expect(() => history.group(() => history.do('crash'))).toThrow('cannot change')
    history.group(() => history.group(() => history.do('type', 'a')))
    expect(asked).toBe(0)
    history.do('type', 'b')
    expect(asked).toBe(1)
  })
})

describe('groups', () => {
  it('make one step and return the result of the work', () => {
    const history = createText('x')
    const result = history.group(() => {
      history.do('type', 'a')
      history.do('type', 'b')
      return history.state.length
    })
    expect(result).toBe(3)
    expect(undoAll(history)).toEqual(['x'])
    history.redo()
    expect(history.state).toBe('xab')
  })

  it('in a group are part of the outer one', () => {
    const history = createText()
    history.group(() => {
      history.do('type', 'a')
      history.group(() => history.do('type', 'b'))
      history.do('type', 'c')
    })
    expect(history.state).toBe('abc')
    expect(undoAll(history)).toEqual([''])
  })

  it('that fail leave the state as it was', () => {
    const history = createText()
    history.do('type', 'a')
    history.do('type', 'b')
    history.undo()
    const work = () => {
      history.do('type', 'c')
      history.do('crash')
    }
    expect(() => history.group(work)).toThrow('cannot change ac')
    expect(history.state).toBe('a')
    expect(history.canRedo).toBe(true)
    expect(undoAll(history)).toEqual([''])
  })

  it('that fail in a group do not spoil the outer one', () => {
    const history = createText()
    history.group(() => {
      history.do('type', 'a')
      expect(() =>
        history.group(() => {
          history.do('type', 'b')
          throw new Error('inner')
        }),
      ).toThrow('inner')
      expect(history.state).toBe('a')
      history.do('type', 'c')
    })
    expect(history.state).toBe('ac')
    expect(undoAll(history)).toEqual([''])
  })

  it('without a change in the end make no step', () => {
    const history = createText()
    history.do('type', 'a')
    history.do('type', 'b')
    history.undo()
    history.group(() => {})
    history.group(() => {
      history.do('type', 'x')
      history.do('erase')
    })
    expect(history.canRedo).toBe(true)
    expect(undoAll(history)).toEqual([''])
  })

  it('count as one step for the limit and drop what could be redone', () => {
    const history = createText('', { limit: 2 })
    for (const letter of 'ab') history.do('type', letter)
    history.undo()
    history.group(() => {
      for (const letter of 'cde') history.do('type', letter)
    })
    expect(history.canRedo).toBe(false)
    expect(undoAll(history)).toEqual(['a', ''])
  })

  it('are never merged', () => {
    const { history } = createMerging()
    history.do('type', 'a')
    history.group(() => history.do('type', 'b'))
    history.do('type', 'c')
    expect(undoAll(history)).toEqual(['ab', 'a', ''])
  })

  it('allow neither undo nor redo inside', () => {
    const history = createText()
    history.do('type', 'a')
    history.do('type', 'b')
    history.undo()
    history.group(() => {
      expect([history.canUndo, history.canRedo]).toEqual([false, false])
      expect(() => history.undo()).toThrow(Error)
      expect(() => history.redo()).toThrow(Error)
      expect(history.state).toBe('a')
    })
    expect([history.canUndo, history.canRedo]).toEqual([true, true])
    expect(history.undo()).toBe(true)
    expect(history.state).toBe('')
  })
})

describe('types', () => {
  it('know the state and the results', () => {
    const history = createText()
    expectType<Equal<typeof history.state, string>>()
    const length = history.group(() => history.do('type', 'abc').length)
    expectType<Equal<typeof length, number>>()
    const move = (from: { x: number }, by: number) => ({ x: from.x + by })
    const point = createHistory({ x: 0 }, { move })
    expectType<Equal<typeof point.state, { x: number }>>()
    compileOnly(() => {
      // @ts-expect-error the state cannot be assigned
      history.state = 'x'
      // @ts-expect-error canUndo cannot be assigned
      history.canUndo = true
      // @ts-expect-error canRedo cannot be assigned
      history.canRedo = true
    })
    expect(point.do('move', 2)).toEqual({ x: 2 })
    expect(length).toBe(3)
  })

  it('know the commands and their payloads', () => {
    const history = createText()
    compileOnly(() => [
      history.do('erase'),
      history.do('erase', 2),
      // @ts-expect-error there is no such command
      history.do('paste', 'x'),
      // @ts-expect-error the payload is missing
      history.do('type'),
      // @ts-expect-error the payload must be a text
      history.do('type', 1),
      // @ts-expect-error the payload must be a number
      history.do('erase', 'x'),
      // @ts-expect-error the command takes no payload
      history.do('clear', 'x'),
      // @ts-expect-error there is only one payload
      history.do('type', 'x', 'y'),
    ])
    expect(history.do('type', 'x')).toBe('x')
  })

  it('reject commands for another state', () => {
    compileOnly(() => [
      // @ts-expect-error the command does not return a number
      createHistory(0, { show: (value: number) => `${value}` }),
      // @ts-expect-error the command does not take a number
      createHistory(0, { double: (value: string) => value.length * 2 }),
      // @ts-expect-error this is not a command
      createHistory(0, { one: 1 }),
    ])
    expect(createHistory(1, { double: (value: number) => value * 2 }).do('double')).toBe(2)
  })
})
