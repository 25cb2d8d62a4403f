//! What a rope costs a tick of 1/60 s, on one thread. Divide by the number of segments for the cost of one.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use supple_sim::Vec2;
use supple_sim::frame::Pose;
use supple_sim::rope::{Rope, RopeSettings, Solver};
use supple_sim::tick::Tick;

const TICK: Tick<'static> = Tick::still(1.0 / 60.0, Vec2::new(0.0, 980.0));

/// A rope whose end is moved by 0.3 of its length at 4 rad/s, a tick at a time.
fn drive(criterion: &mut Criterion, name: &str, settings: RopeSettings, amplitude: f32) {
    let mut group = criterion.benchmark_group(name);
    for segments in [30u32, 100, 300, 1000] {
        let settings = RopeSettings { length: 10.0 * segments as f32, segments, ..settings };
        let mut rope = Rope::new(settings, Pose::IDENTITY);
        let mut time = 0.0f32;
        group.throughput(Throughput::Elements(u64::from(segments)));
        group.bench_function(BenchmarkId::from_parameter(segments), |bencher| {
            bencher.iter(|| {
                time = (time + TICK.delta) % std::f32::consts::TAU;
                let x = amplitude * settings.length * (4.0 * time).sin();
                rope.set_pose(Pose::at(Vec2::new(x, 0.0)));
                rope.step(black_box(&TICK));
            });
        });
    }
    group.finish();
}

fn rope(criterion: &mut Criterion) {
    let awake = RopeSettings { can_sleep: false, ..RopeSettings::default() };
    drive(criterion, "hanging, direct", awake, 0.0);
    drive(criterion, "driven, direct", awake, 0.3);
    let relaxation = RopeSettings { solver: Solver::Relaxation, ..awake };
    drive(criterion, "driven, relaxation, 12 passes", relaxation, 0.3);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(2));
    targets = rope
}
criterion_main!(benches);
