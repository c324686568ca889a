import { describe, expect, it } from 'vitest'
import { findPasswordProblem, passwordStrength } from './password.ts'

describe('a password that a user chooses', () => {
  it.each([
    ['short', 'at least 12 characters'],
    ['🙂🙂🙂🙂🙂🙂', 'at least 12 characters; this has 6'],
    ['Ada.Lovelace@Example.org', 'must not be the e-mail address'],
    [' ada.lovelace', 'must not be the e-mail address'],
    ['aaaaaaaaaaaaaaa', 'repeats a few characters'],
    ['            x1y', 'repeats a few characters'],
    ['x'.repeat(129), 'at most 128'],
  ])('refuses %j', (password, words) => {
    expect(findPasswordProblem(password, 'ada.lovelace@example.org')).toContain(words)
  })

  it.each(['three words and a horse', 'ünïcödé ünïcödé'])('takes %j', (password) => {
    expect(findPasswordProblem(password, 'ada@example.org')).toBeNull()
  })

  it.each([
    ['password1234', 'weak'],
    ['abcdefghijklmn', 'weak'],
    ['123123123123', 'too weak'],
    ['ada.lovelace1815', 'weak'],
    ['blue horse run', 'fair'],
    ['three words and a horse', 'strong'],
    ['q7$Rk2!vXp9&Lm', 'strong'],
  ])('finds %j %s', (password, strength) => {
    expect(passwordStrength(password, 'ada.lovelace@example.org')).toBe(strength)
  })
})
