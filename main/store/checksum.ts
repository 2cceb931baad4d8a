/** A CRC-32 as the last member of a JSON text, so that a flipped bit which leaves it valid JSON is noticed all the same. */
import { crc32 } from 'node:zlib'

/** 8 hex digits. */
export function checksum(bytes: string | Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, '0')
}

const SEAL = /,\s*"crc":\s*"([0-9a-f]{8})"\s*\}\s*$/

/** The text of a JSON object with the sum of all that stands before it as its last member. */
export function sealed(text: string): string {
  const brace = text.lastIndexOf('}')
  const end = text[brace - 1] === '\n' ? brace - 1 : brace
  const open = text.slice(0, end)
  const space = text.slice(end, brace)
  return `${open},${space === '' ? '' : `${space}  `}"crc":${space === '' ? '' : ' '}"${checksum(open)}"${text.slice(end)}`
}

/** Whether a text is as it was sealed; `unsealed`: it has no sum, as texts of earlier versions. */
export function sealOf(text: string): 'whole' | 'altered' | 'unsealed' {
  // Only the end is searched: a text may be long.
  const from = Math.max(0, text.length - 64)
  const seal = SEAL.exec(text.slice(from))
  if (seal === null) return 'unsealed'
  return checksum(text.slice(0, from + seal.index)) === seal[1] ? 'whole' : 'altered'
}
