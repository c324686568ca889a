/** Values of TZ that the C library accepts besides names: `CET-1CEST`, `<+03>-3`, `:/etc/localtime`. */
const POSIX = /^(?::?(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)[+-]?\d|:?\/)/

/** True for a TZ value that programs understand, such as `Europe/Berlin` or `UTC`. */
export function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value.replace(/^:/, '') })
    return true
  } catch {
    return POSIX.test(value)
  }
}
