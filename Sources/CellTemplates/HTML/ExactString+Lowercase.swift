extension ExactString {
  /// The text with ASCII letters in lowercase, as browsers compare it: the Kelvin sign is no `k`.
  init(inLowercase bytes: some Collection<UInt8>) { self.init(decoding: bytes.map(HTMLTokenizer.lowercased)) }
}
