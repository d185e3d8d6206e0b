# id: B465
# frameworks: torch
# kind: loss-batch-mismatch
# detect: onesided
# source: written for this project
# story: Distillation: the teacher's answer is computed for the first sample only, kept as a batch of one, and stretched over the student's batch.
import torch
import torch.nn.functional as F
torch.manual_seed(465)
student, teacher = torch.nn.Linear(8, 6), torch.nn.Linear(8, 6)
views = torch.randn(19, 8)
with torch.no_grad():
    soft = F.softmax(teacher(views[:1]) / 2.0, dim=-1)
loss = F.kl_div(F.log_softmax(student(views) / 2.0, dim=-1), soft, reduction="batchmean")  # BUG: (19,6) against (1,6)
loss.backward()
# --- proof (not part of the cell) ---
assert soft.shape == (1, 6)
