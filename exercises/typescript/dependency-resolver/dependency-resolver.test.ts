import { describe, it, expect } from '@jest/globals'
import {
  DependencyCycleError,
  MissingPackageError,
  resolveInstallOrder,
  type Package,
} from './dependency-resolver.ts'

/** pkg('app', 'lib', 'log?') requires lib and would like log. */
function pkg(name: string, ...dependencies: string[]): Package {
  return {
    name,
    requires: dependencies.filter((dependency) => !dependency.endsWith('?')),
    optional: dependencies
      .filter((dependency) => dependency.endsWith('?'))
      .map((dependency) => dependency.slice(0, -1)),
  }
}

function errorOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  throw new Error('Expected an error, but none was thrown')
}

function missingOf(manifest: Package[], targets?: string[]): MissingPackageError {
  const error = errorOf(() => resolveInstallOrder(manifest, targets))
  expect(error).toBeInstanceOf(MissingPackageError)
  return error as MissingPackageError
}

function cycleOf(manifest: Package[], targets?: string[]): readonly string[] {
  const error = errorOf(() => resolveInstallOrder(manifest, targets))
  expect(error).toBeInstanceOf(DependencyCycleError)
  return (error as DependencyCycleError).cycle
}

describe('install order', () => {
  it('puts dependencies first', () => {
    expect(resolveInstallOrder([pkg('app', 'lib'), pkg('lib', 'core'), pkg('core')])).toEqual([
      'core',
      'lib',
      'app',
    ])
  })

  it('keeps the order of the manifest where nothing depends on anything', () => {
    expect(resolveInstallOrder([{ name: 'c' }, { name: 'a' }, { name: 'b' }])).toEqual([
      'c',
      'a',
      'b',
    ])
  })

  it('takes the first package that is ready, even if it waits for nobody', () => {
    expect(resolveInstallOrder([pkg('app', 'lib'), pkg('docs'), pkg('lib')])).toEqual([
      'docs',
      'lib',
      'app',
    ])
  })

  it('lets a package that has just become ready overtake those behind it in the manifest', () => {
    expect(
      resolveInstallOrder([pkg('a', 'c'), pkg('b', 'c'), pkg('c'), pkg('d'), pkg('e')]),
    ).toEqual(['c', 'a', 'b', 'd', 'e'])
  })

  it('takes the first of many that have become ready in any order', () => {
    const count = 40
    const steps = Array.from({ length: count }, (_, i) => `step${i}`)
    const parts = Array.from({ length: count }, (_, i) => `part${i}`)
    for (const stride of [1, 3, 7, 13, 17, 23, 39]) {
      // One step after the other, each of which makes a part ready that stands anywhere among the parts.
      const stepOf = new Map(steps.map((step, i) => [parts[(i * stride + 5) % count], step]))
      const manifest = [
        ...steps.map((step, i) => (i === 0 ? pkg(step) : pkg(step, steps[i - 1]))),
        ...parts.map((part) => pkg(part, stepOf.get(part) as string)),
      ]
      expect(resolveInstallOrder(manifest)).toEqual([...steps, ...parts])
    }
  })

  it('resolves a diamond and installs its base once', () => {
    expect(
      resolveInstallOrder([
        pkg('top', 'right', 'left'),
        pkg('left', 'base'),
        pkg('right', 'base'),
        pkg('base'),
      ]),
    ).toEqual(['base', 'left', 'right', 'top'])
  })

  it('counts a dependency once that is listed twice', () => {
    expect(
      resolveInstallOrder([
        pkg('app', 'lib', 'lib', 'lib?', 'log?', 'log?'),
        pkg('lib'),
        pkg('log'),
      ]),
    ).toEqual(['lib', 'log', 'app'])
  })

  it('answers an empty manifest with an empty order', () => {
    expect(resolveInstallOrder([])).toEqual([])
  })

  it('does not mind names that every object inherits', () => {
    expect(
      resolveInstallOrder([pkg('__proto__', 'constructor'), pkg('constructor', 'valueOf?')]),
    ).toEqual(['constructor', '__proto__'])
    expect(missingOf([pkg('app', 'toString')]).missing).toBe('toString')
  })

  it('resolves a chain of 20,000 packages', () => {
    const length = 20_000
    const manifest = Array.from({ length }, (_, i) =>
      i + 1 < length ? pkg(`p${i}`, `p${i + 1}`) : pkg(`p${i}`),
    )
    const order = resolveInstallOrder(manifest)
    expect(order.length).toBe(length)
    expect(order.slice(0, 2)).toEqual(['p19999', 'p19998'])
    expect(order[length - 1]).toBe('p0')
  })

  it('leaves the manifest as it is', () => {
    const manifest = [pkg('app', 'lib', 'log?'), pkg('lib'), pkg('log')]
    const before = structuredClone(manifest)
    resolveInstallOrder(manifest)
    resolveInstallOrder(manifest, ['lib'])
    expect(manifest).toEqual(before)
  })
})

describe('optional dependencies', () => {
  it('are installed first if the manifest has them', () => {
    expect(resolveInstallOrder([pkg('app', 'log?'), pkg('lib'), pkg('log')])).toEqual([
      'lib',
      'log',
      'app',
    ])
  })

  it('are ignored if the manifest does not have them', () => {
    expect(resolveInstallOrder([pkg('app', 'log?', 'lib'), pkg('lib', 'trace?')])).toEqual([
      'lib',
      'app',
    ])
  })

  it('are required if they are listed as both', () => {
    expect(missingOf([pkg('app', 'log?', 'log')]).missing).toBe('log')
  })

  it('can be part of a cycle', () => {
    expect(cycleOf([pkg('app', 'log?'), pkg('log', 'app')])).toEqual(['app', 'log', 'app'])
  })
})

describe('targets', () => {
  const manifest = [
    pkg('site', 'views', 'nowhere'),
    pkg('cli', 'core', 'color?', 'spinner?'),
    pkg('loop', 'loop'),
    pkg('views', 'core'),
    pkg('color'),
    pkg('core', 'base'),
    pkg('base'),
  ]

  it('limit the order to what they need', () => {
    expect(resolveInstallOrder(manifest, ['views'])).toEqual(['base', 'core', 'views'])
  })

  it('bring optional dependencies along', () => {
    expect(resolveInstallOrder(manifest, ['cli'])).toEqual(['color', 'base', 'core', 'cli'])
  })

  it('do not set the order themselves', () => {
    expect(resolveInstallOrder(manifest, ['base', 'views', 'color', 'views'])).toEqual([
      'color',
      'base',
      'core',
      'views',
    ])
  })

  it('install nothing if there are none', () => {
    expect(resolveInstallOrder(manifest, [])).toEqual([])
  })

  it('do not excuse duplicates elsewhere in the manifest', () => {
    const error = errorOf(() =>
      resolveInstallOrder([pkg('a', 'gone'), pkg('twin'), pkg('twin')], ['a']),
    )
    expect((error as Error).message).toBe('Duplicate package: twin')
  })
})

describe('missing packages', () => {
  it('name everybody who requires them, in the order of the manifest', () => {
    const error = missingOf([
      pkg('app', 'lib', 'left'),
      pkg('tool', 'left?'),
      pkg('cli', 'left'),
      pkg('lib', 'left', 'right'),
    ])
    expect(error.missing).toBe('left')
    expect(error.requiredBy).toEqual(['app', 'cli', 'lib'])
    expect(error.message).toBe('Missing package: left (required by app, cli, lib)')
    expect(error.name).toBe('MissingPackageError')
  })

  it('are reported for the first package that lacks one', () => {
    const error = missingOf([pkg('a', 'c'), pkg('b', 'y', 'x'), pkg('c', 'x')])
    expect(error.missing).toBe('y')
    expect(error.requiredBy).toEqual(['b'])
  })

  it('are reported before a cycle', () => {
    expect(missingOf([pkg('a', 'b'), pkg('b', 'a'), pkg('c', 'gone')]).missing).toBe('gone')
  })

  it('can be targets, which come first and have nobody who requires them', () => {
    const error = missingOf([pkg('app', 'gone')], ['app', 'ghost', 'spirit'])
    expect(error.missing).toBe('ghost')
    expect(error.requiredBy).toEqual([])
    expect(error.message).toBe('Missing package: ghost')
  })

  it('do not count packages that are not to be installed', () => {
    const error = missingOf([pkg('other', 'left'), pkg('app', 'left')], ['app'])
    expect(error.requiredBy).toEqual(['app'])
  })
})

describe('cycles', () => {
  it('start and end with the same package', () => {
    const error = errorOf(() => resolveInstallOrder([pkg('a', 'b'), pkg('b', 'c'), pkg('c', 'a')]))
    expect(error).toBeInstanceOf(DependencyCycleError)
    expect((error as DependencyCycleError).cycle).toEqual(['a', 'b', 'c', 'a'])
    expect((error as Error).message).toBe('Dependency cycle: a -> b -> c -> a')
    expect((error as Error).name).toBe('DependencyCycleError')
  })

  it('can be a package that depends on itself', () => {
    expect(cycleOf([pkg('b'), pkg('a', 'b', 'a')])).toEqual(['a', 'a'])
  })

  it('do not include the packages that lead into them', () => {
    expect(cycleOf([pkg('app', 'lib'), pkg('lib', 'x'), pkg('x', 'y'), pkg('y', 'x')])).toEqual([
      'x',
      'y',
      'x',
    ])
  })

  it('begin at the member that stands first in the manifest', () => {
    expect(cycleOf([pkg('app', 'z'), pkg('m', 'z'), pkg('z', 'k'), pkg('k', 'm')])).toEqual([
      'm',
      'z',
      'k',
      'm',
    ])
  })

  it('are walked by the shortest way', () => {
    expect(cycleOf([pkg('a', 'b', 'd'), pkg('b', 'c'), pkg('c', 'a'), pkg('d', 'a')])).toEqual([
      'a',
      'd',
      'a',
    ])
  })

  it('follow the dependency listed first if two ways are equally short', () => {
    expect(cycleOf([pkg('a', 'y?', 'x'), pkg('y', 'a'), pkg('x', 'a')])).toEqual(['a', 'x', 'a'])
  })

  it('are only looked for among the packages to be installed', () => {
    const manifest = [pkg('a', 'b'), pkg('b', 'a'), pkg('c', 'd'), pkg('d', 'c')]
    expect(cycleOf(manifest, ['d'])).toEqual(['c', 'd', 'c'])
  })
})
