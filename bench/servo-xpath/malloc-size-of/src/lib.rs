//! What servo-xpath's derived code refers to, and no more: nobody asks an expression for its size here.

/// Would know how to ask the allocator.
pub struct MallocSizeOfOps;

/// Heap that belongs to a value.
pub trait MallocSizeOf {
    /// Always nothing.
    fn size_of(&self, _: &mut MallocSizeOfOps) -> usize {
        0
    }
}

impl MallocSizeOf for bool {}
impl MallocSizeOf for f64 {}
impl MallocSizeOf for i64 {}
impl MallocSizeOf for markup5ever::QualName {}
impl MallocSizeOf for String {}
impl<T: MallocSizeOf + ?Sized> MallocSizeOf for Box<T> {}
impl<T: MallocSizeOf> MallocSizeOf for Option<T> {}
impl<T: MallocSizeOf> MallocSizeOf for Vec<T> {}
