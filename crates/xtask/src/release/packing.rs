/// How long packing may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// For people who download it.
    Small,
    /// For the suite.
    Fast,
}
