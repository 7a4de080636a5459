//! Field rules: which values a request may carry, the exact message of each broken rule, and their order.
//! Fields come in the document's order; within a field type, then emptiness, then format.
