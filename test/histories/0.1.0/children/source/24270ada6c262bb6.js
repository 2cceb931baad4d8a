await agent('before it fails')
throw new RangeError('too far')
