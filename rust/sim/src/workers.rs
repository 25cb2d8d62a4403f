//! The threads on which bodies are stepped.
//!
//! An own pool, never rayon's global one: an extension can be unloaded, and a thread that outlives its code crashes
//! the process. [`Workers`] joins its threads when it is dropped. Bodies, and islands of bodies, are independent within a step, so the
//! result has the same bits with any number of threads.
//!
//! The caller works too: everyone takes the next item from a shared counter. A thread that wakes late (tens of
//! microseconds) then finds less to do, instead of making the caller wait for its share.

#[cfg(feature = "parallel")]
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
#[cfg(feature = "parallel")]
use std::sync::{Mutex, PoisonError};
#[cfg(feature = "parallel")]
use std::thread::JoinHandle;

/// Work below this many nanoseconds is done by the caller alone. Measured on 2 cores: 64 ropes (0.1 ms) got no faster by a second
/// thread, and slower when the machine was busy; 256 ropes (0.4 ms) did.
#[cfg(feature = "parallel")]
const SMALL_WORK: usize = 200_000;

/// Into so many parts for each thread items that are changed are divided.
#[cfg(feature = "parallel")]
const PARTS: usize = 16;

/// A pool of threads, or none.
#[derive(Default)]
pub struct Workers {
    #[cfg(feature = "parallel")]
    pool: Option<rayon::ThreadPool>,
    #[cfg(feature = "parallel")]
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// A pool of `count` threads, the caller's included. Where no others can be started, all work runs on the caller's.
    pub fn new(count: usize) -> Workers {
        #[cfg(feature = "parallel")]
        if count > 1 {
            let mut threads = Vec::with_capacity(count);
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(count - 1)
                .spawn_handler(|thread| {
                    let name = format!("supple {}", thread.index());
                    threads.push(std::thread::Builder::new().name(name).spawn(|| thread.run())?);
                    Ok(())
                })
                .build()
                .ok();
            return Workers { pool, threads };
        }
        let _ = count;
        Workers::default()
    }

    /// A pool with a thread for each core.
    pub fn for_this_machine() -> Workers {
        Workers::new(std::thread::available_parallelism().map_or(1, |count| count.get()))
    }

    /// How many threads share the work.
    pub fn count(&self) -> usize {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool {
            return 1 + pool.current_num_threads();
        }
        1
    }

    /// Calls `work` once for each item. `cost` is the whole work in nanoseconds, roughly: it decides whether threads are
    /// worth waking.
    pub fn for_each<T: Sync>(&self, items: &[T], cost: usize, work: impl Fn(&T) + Sync) {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool
            && cost >= SMALL_WORK
            && items.len() > 1
        {
            let next = AtomicUsize::new(0);
            let take = || {
                while let Some(item) = items.get(next.fetch_add(1, Relaxed)) {
                    work(item);
                }
            };
            pool.in_place_scope(|scope| {
                (0..pool.current_num_threads()).for_each(|_| scope.spawn(|_| take()));
                take();
            });
            return;
        }
        let _ = cost;
        items.iter().for_each(work);
    }

    /// The same for items that are changed; `work` is told the number of each.
    pub fn for_each_mut<T: Send>(&self, items: &mut [T], cost: usize, work: impl Fn(usize, &mut T) + Sync) {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool
            && cost >= SMALL_WORK
            && items.len() > 1
        {
            let parts = items.len().div_ceil(PARTS * self.count());
            let rest = Mutex::new(items.chunks_mut(parts).enumerate());
            let take = || {
                loop {
                    let next = rest.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((part, items)) = next else { break };
                    items.iter_mut().enumerate().for_each(|(index, item)| work(part * parts + index, item));
                }
            };
            pool.in_place_scope(|scope| {
                (0..pool.current_num_threads()).for_each(|_| scope.spawn(|_| take()));
                take();
            });
            return;
        }
        let _ = cost;
        items.iter_mut().enumerate().for_each(|(index, item)| work(index, item));
    }
}

#[cfg(feature = "parallel")]
impl Drop for Workers {
    fn drop(&mut self) {
        // Dropping the pool tells its threads to end; only joining them makes sure that they have.
        self.pool = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has ended too.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[test]
    fn every_item_is_visited_once_with_any_number_of_threads() {
        for count in [1, 2, 3] {
            let workers = Workers::new(count);
            let items: Vec<AtomicU32> = (0..1000).map(AtomicU32::new).collect();
            workers.for_each(&items, usize::MAX, |item| _ = item.fetch_add(1, Relaxed));
            assert!(items.iter().enumerate().all(|(i, item)| item.load(Relaxed) as usize == i + 1));
            assert_eq!(workers.count(), count);
        }
    }

    #[cfg(all(target_os = "linux", feature = "parallel"))]
    #[test]
    fn no_thread_outlives_the_pool() {
        let named = || {
            let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
            let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
            names.filter(|name| name.starts_with("supple 6")).count()
        };
        let workers = Workers::new(8);
        // A thread takes its name a moment after it was started.
        let started = (0..1000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(2));
            named() == 1
        });
        assert!(started);
        drop(workers);
        assert_eq!(named(), 0);
    }
}
