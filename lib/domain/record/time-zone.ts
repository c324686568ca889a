/** What the C library reads besides names: `CET-1CEST`, `<+03>-3`, `:/etc/localtime`. */
const POSIX = /^(?::?(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)[+-]?\d|:?\/)/

/** True for the value of a variable TZ that programs understand, such as `Europe/Berlin` or `UTC`. */
export function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value.replace(/^:/, '') })
    return true
  } catch {
    return POSIX.test(value)
  }
}
