//! What travels arrives.
