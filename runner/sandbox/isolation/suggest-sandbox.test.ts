import { expect, it } from 'vitest'
import { installCommand } from './suggest-sandbox.ts'

it.each([
  ['ID=debian', 'apt-get install bubblewrap'],
  ['ID=linuxmint\nID_LIKE="ubuntu debian"', 'apt-get install bubblewrap'],
  ['ID=fedora', 'dnf install bubblewrap'],
  ['ID="rocky"\nID_LIKE="rhel centos fedora"', 'dnf install bubblewrap'],
  ['ID="opensuse-leap"\nID_LIKE="suse opensuse"', 'zypper install bubblewrap'],
  ['ID=arch', 'pacman -S bubblewrap'],
  ['NAME="Alpine Linux"\nID=alpine', 'apk add bubblewrap'],
  ['', 'apt-get install bubblewrap'],
])('%s: %s', (release, command) => {
  expect(installCommand('bubblewrap', release)).toBe(command)
})
