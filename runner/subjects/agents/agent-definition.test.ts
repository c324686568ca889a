import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { fillTemplate, listPlaceholders } from '../../placeholders.ts'
import { escapeToml, fillJson, type PlaceholderValues } from './agent-definition.ts'

const VALUES: PlaceholderValues = {
  prompt: `say \${key} and \${prompt}, $& $1 $\` \\ "quoted"\n\`ticks\``,
  promptFile: '/tmp/prompt.md',
  model: 'model-x',
  baseUrl: 'http://127.0.0.1:1',
  key: 'dummy',
  home: '/home/a',
  workspace: '/work/a',
  out: '/tmp/out',
  effort: 'high',
}

const SLOT = `\${model}`

describe('fillTemplate', () => {
  it('puts values in as they are and never looks at them again', () => {
    expect(fillTemplate(`a \${prompt} b \${model}`, VALUES)).toBe(`a ${VALUES.prompt} b model-x`)
  })

  it('leaves alone what is not a placeholder', () => {
    expect(fillTemplate(`\${toString} \${nothing} $model {model} \${}`, VALUES)).toBe(
      `\${toString} \${nothing} $model {model} \${}`,
    )
    expect(listPlaceholders(`\${model} \${nothing} \${}`)).toEqual(['model', 'nothing', ''])
  })
})

describe('escaping', () => {
  it('keeps a hostile value inside its JSON string, as a member name too', () => {
    const hostile = { ...VALUES, model: '"},"x":{"__proto__":1' }
    const filled = fillJson({ models: { [SLOT]: { id: SLOT } }, n: 1, on: true }, hostile)
    expect(JSON.parse(JSON.stringify(filled))).toEqual({
      models: { [hostile.model]: { id: hostile.model } },
      n: 1,
      on: true,
    })
    const named = fillJson({ [SLOT]: 1 }, { ...VALUES, model: '__proto__' })
    expect(JSON.stringify(named)).toBe('{"__proto__":1}')
  })

  it('keeps a hostile value inside its TOML string', () => {
    const hostile = 'a"\nb = 1 # \\ \x7f \ud800 é'
    const line = fillTemplate(`x = "\${model}"`, { ...VALUES, model: hostile }, escapeToml)
    expect(line).toBe('x = "a\\"\\nb = 1 # \\\\ \\u007f \ufffd é"')
    // The remaining escapes are a subset of those of YAML's double-quoted strings.
    expect(parseYaml(line.slice('x = '.length))).toBe(hostile.replace('\ud800', '\ufffd'))
  })
})
